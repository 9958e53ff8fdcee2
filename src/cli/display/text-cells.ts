import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter();

/** How many terminal cells a text takes; emoji and East Asian characters take two. */
export function cells(text: string): number {
  return stringWidth(text);
}

/** Exactly `width` cells: cut with an ellipsis, or padded with spaces. Unstyled text only. */
export function fit(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const cut = cutTo(text, width);
  const space = ' '.repeat(Math.max(0, width - cells(cut)));
  return align === 'left' ? cut + space : space + cut;
}

/** At most `width` cells, cut with an ellipsis. Unstyled text only. */
export function cutTo(text: string, width: number): string {
  if (cells(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    const next = cells(segment);
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return width > 0 ? `${kept}…` : '';
}

/** Lines of at most `width` cells, broken between words; a longer word has its own line. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && cells(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
