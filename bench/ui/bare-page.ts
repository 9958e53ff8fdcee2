/**
 * Replaces the page with a minimal list of as many rows: only visible rows exist, with three texts
 * each, and are positioned directly. It runs in the page, and so uses nothing outside this
 * function.
 */
export function barePage({ rows, rowHeight }: { rows: number; rowHeight: number }): void {
  document.body.replaceChildren();
  const scroller = document.createElement('div');
  scroller.setAttribute('role', 'grid');
  Object.assign(scroller.style, { height: '100vh', overflow: 'auto' });
  const all = document.createElement('div');
  Object.assign(all.style, { height: `${rows * rowHeight}px`, position: 'relative' });
  scroller.append(all);
  document.body.append(scroller);

  const count = Math.ceil(scroller.clientHeight / rowHeight) + 8;
  const visibleRows = Array.from({ length: count }, () => {
    const row = document.createElement('div');
    row.setAttribute('role', 'row');
    Object.assign(row.style, {
      display: 'grid',
      gridTemplateColumns: '1fr 240px 148px',
      position: 'absolute',
      width: '100%',
      height: `${rowHeight}px`,
      contain: 'strict',
    });
    row.append(...['', '', ''].map(() => document.createElement('span')));
    all.append(row);
    return row;
  });
  const draw = (): void => {
    const first = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - 4);
    for (const [offset, row] of visibleRows.entries()) {
      const index = first + offset;
      row.style.transform = `translateY(${index * rowHeight}px)`;
      for (const [cell, span] of [...row.children].entries()) {
        span.textContent = `${['Video', 'waiting', 'sends'][cell] ?? ''} ${index}`;
      }
    }
  };
  scroller.addEventListener('scroll', draw);
  draw();
}
