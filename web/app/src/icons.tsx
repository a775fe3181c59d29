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
};

/** A picture without meaning of its own: text or an `aria-label` beside it says what it stands for. */
export function Icon({ name, filled }: { name: keyof typeof PATHS; filled?: boolean }) {
  return (
    <svg className={filled ? "icon filled" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
