import { useMutation, useSubscription } from "urql";
import {
  MarkNotificationReadDocument,
  MarkNotificationsReadDocument,
  MarkNotificationsSeenDocument,
  type NotificationItemFragment,
  NotificationReceivedDocument,
  NotificationsDocument,
} from "../generated/graphql.js";
import { type Pages, usePages } from "./pages.js";

export interface Notifications extends Pages<NotificationItemFragment> {
  /** Marks all notifications up to the newest one in `items` as read. */
  markRead: () => Promise<void>;
  /** Marks one notification as read: call it when the user opens the notification. */
  markOneRead: (notificationId: string) => Promise<void>;
  /** Marks all notifications up to the newest one in `items` as seen: call it when the list is shown. */
  markSeen: () => Promise<void>;
}

/** Reads the viewer's notifications page by page, and new ones as they arrive. */
export function useNotifications(first = 20): Notifications {
  const [, mark] = useMutation(MarkNotificationsReadDocument);
  const [, markOne] = useMutation(MarkNotificationReadDocument);
  const [, see] = useMutation(MarkNotificationsSeenDocument);
  const pages = usePages(NotificationsDocument, { first }, ({ viewer }) => viewer?.notifications);
  useSubscription({ query: NotificationReceivedDocument });
  const markRead = async (): Promise<void> => {
    if (pages.startCursor) await mark({ upTo: pages.startCursor });
  };
  const markOneRead = async (notificationId: string): Promise<void> => {
    await markOne({ notificationId });
  };
  const markSeen = async (): Promise<void> => {
    if (pages.startCursor) await see({ upTo: pages.startCursor });
  };
  return { ...pages, markRead, markOneRead, markSeen };
}
