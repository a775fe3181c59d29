const PATHS = {
  heart: "M12 20.5 4.3 12.9a5 5 0 0 1 7.1-7.1l.6.7.6-.7a5 5 0 0 1 7.1 7.1z",
  comment: "M4 5h16v11H9l-5 4z",
  star: "m12 3.5 2.6 5.6 6.1.7-4.5 4.2 1.2 6L12 17l-5.4 3 1.2-6-4.5-4.2 6.1-.7z",
  repost: "M4 13V9a3 3 0 0 1 3-3h11M15 3l3 3-3 3M20 11v4a3 3 0 0 1-3 3H6M9 15l-3 3 3 3",
  quote: "M10 7H6.5A2.5 2.5 0 0 0 4 9.5V13h5v4.5H5.5M20 7h-3.5A2.5 2.5 0 0 0 14 9.5V13h5v4.5h-3.5",
  picture: "M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 9.5h.01",
  close: "M6 6l12 12M18 6 6 18",
  previous: "M14.5 5.5 8 12l6.5 6.5",
  next: "M9.5 5.5 16 12l-6.5 6.5",
  play: "M9 6.5v11l9-5.5z",
  home: "M4 11 12 4l8 7v9h-5v-6H9v6H4z",
  square: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 20.5h4",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  pen: "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5",
  globe: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM3.5 12h17M12 3.5c3 3 3 14 0 17c-3-3-3-14 0-17z",
  back: "M19 12H5M11 6l-6 6 6 6",
  up: "M12 19V5M6 11l6-6 6 6",
  trash: "M4.5 7h15M9 7V4.5h6V7M6.5 7l1 13h9l1-13M10 11v5.5M14 11v5.5",
  hide: "M4 4l16 16M9.5 5.3A9.8 9.8 0 0 1 21 12a15 15 0 0 1-2.3 3.2M6.5 7A14 14 0 0 0 3 12s3.3 6.5 9 6.5a8.8 8.8 0 0 0 4.3-1.1M10 10a2.9 2.9 0 0 0 4 4",
  less: "M17 4v9M17 4h3v9h-3l-4.5 7.5a2 2 0 0 1-2-2V15H5a1.8 1.8 0 0 1-1.7-2.3l2-7A2.2 2.2 0 0 1 7.4 4z",
  mute: "M4 9.5h3.5L12 5.5v13l-4.5-4H4zM16 9.5l5 5M21 9.5l-5 5",
  block: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM6 6l12 12",
  flag: "M5.5 21V4M5.5 5h12l-2.5 4 2.5 4h-12",
  folder: "M3.5 6h6l2 2.5h9V19h-17z",
  unlink: "M9.5 14.5l-2 2a3.3 3.3 0 0 1-4.6-4.6l2-2M14.5 9.5l2-2a3.3 3.3 0 0 1 4.6 4.6l-2 2M4 4l16 16",
};

export type IconName = keyof typeof PATHS;

/** A picture without meaning of its own: text or an `aria-label` beside it says what it stands for. */
export function Icon({ name, filled }: { name: IconName; filled?: boolean }) {
  return (
    <svg className={filled ? "icon filled" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
