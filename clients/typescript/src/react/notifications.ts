import { useMutation, useSubscription } from "urql";
import {
  MarkNotificationsReadDocument,
  type NotificationItemFragment,
  NotificationReceivedDocument,
  NotificationsDocument,
} from "../generated/graphql.js";
import { type Pages, usePages } from "./pages.js";

export interface Notifications extends Pages<NotificationItemFragment> {
  /** Marks all notifications up to the newest one in `items` as read. */
  markRead: () => Promise<void>;
}

/** Reads the viewer's notifications page by page, and new ones as they arrive. */
export function useNotifications(first = 20): Notifications {
  const [, mark] = useMutation(MarkNotificationsReadDocument);
  const pages = usePages(NotificationsDocument, { first }, ({ viewer }) => viewer?.notifications);
  useSubscription({ query: NotificationReceivedDocument });
  const markRead = async (): Promise<void> => {
    if (pages.startCursor) await mark({ upTo: pages.startCursor });
  };
  return { ...pages, markRead };
}
