/** A video's title, with what distinguishes it from the other videos of its row: “Week 48 · 9:16”. */
export function videoTitle({
  title,
  variant,
}: {
  readonly title: string;
  readonly variant?: string | null | undefined;
}): string {
  return typeof variant === 'string' ? `${title} · ${variant}` : title;
}
