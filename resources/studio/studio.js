/* What a script adds to pages that work without one. */
/* global document, window, navigator, fetch, DOMParser, setTimeout */

/** Moments are sent in UTC and said in the visitor's own time zone. */
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

function localise(within) {
  for (const time of within.querySelectorAll('time[data-local]')) {
    time.title = time.textContent;
    time.textContent = moment.format(new Date(time.dateTime));
  }
}

/** Copy buttons: hidden where there is no script to copy. */
function offerCopying() {
  for (const button of document.querySelectorAll('[data-copy]')) {
    const field = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener('click', async () => {
      const said = document.getElementById(`${field.id}-copied`);
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        said.textContent = 'Copied.';
      } catch {
        said.textContent =
          'The browser did not allow copying. The key is selected: copy it yourself.';
      }
    });
  }
}

const POLL_MS = 1000;

/**
 * Keeps `[data-live]` parts as the server would show them now, as long as one of them is busy. Each
 * part is a list entry of its own, so that nothing else on the page moves.
 */
async function follow() {
  if (!document.querySelector('[data-live][data-busy]')) return;
  try {
    const answer = await fetch(window.location.href, { headers: { accept: 'text/html' } });
    if (answer.redirected) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const next = fresh.getElementById(part.id);
      if (next) replace(part, next);
    }
  } catch {
    // The service may be restarting; the next look will tell.
  }
  setTimeout(() => void follow(), POLL_MS);
}

function replace(part, next) {
  const wasBusy = 'busy' in part.dataset;
  const isBusy = 'busy' in next.dataset;
  // Links to stills differ each time; what has come to rest stays as it is.
  if (!wasBusy && part.querySelector('img, video')) return;
  localise(next);
  const bar = part.querySelector('progress');
  const nextBar = next.querySelector('progress');
  if (bar && nextBar) {
    // The very same bar, so that it moves instead of jumping.
    bar.value = nextBar.value;
    part.querySelector('[data-state]').replaceWith(next.querySelector('[data-state]'));
    return;
  }
  if (part.outerHTML === next.outerHTML) return;
  const focused = part.contains(document.activeElement) ? document.activeElement.id : '';
  part.replaceWith(next);
  if (focused) document.getElementById(focused)?.focus();
  if (wasBusy && !isBusy) document.getElementById('news').textContent = next.dataset.news;
}

localise(document);
offerCopying();
void follow();
