import type { QuotaParts } from '../gallery.ts';
import { html, type Html } from '../html.ts';
import { icon } from './icons.ts';
import { type Signed, signedPage } from './layout.ts';
import { dayOf, momentOf } from './moments.ts';
import { isBusy, newsOf, type ShownVideo, stateOf } from './shown-video.ts';

/** Everything that the account has made, the newest first. */
export function galleryPage(
  signed: Signed,
  quota: QuotaParts,
  videos: readonly ShownVideo[],
): Html {
  return signedPage(
    'Studio',
    signed,
    'studio',
    html`<div class="stack">
      <div class="between">
        <div class="heading">
          <h1>Studio</h1>
          <p class="soft" id="quota" data-live>
            ${quota.left} of ${quota.limit} videos left until ${dayOf(quota.resetAt)}
          </p>
        </div>
        ${
          videos.length > 0 &&
          html`<a class="button primary" href="/studio/new">${icon('add')} New video</a>`
        }
      </div>
      <p class="hidden" id="news" role="status"></p>
      ${
        videos.length > 0
          ? html`<ul class="gallery">
              ${videos.map(entry)}
            </ul>`
          : nothingYet
      }
    </div>`,
  );
}

const nothingYet = html`<section class="card empty">
  ${icon('film')}
  <h2>Make your first video</h2>
  <p class="soft">Write a few scenes, choose a look, and watch it here a moment later.</p>
  <a class="button primary" href="/studio/new">New video</a>
</section>`;

function entry(video: ShownVideo): Html {
  const { id, title, createdAt, now } = video;
  return html`<li
    class="entry"
    id="${id}"
    data-live
    data-news="${newsOf(video)}"
    ${isBusy(video) && html`data-busy`}
  >
    <div class="still">
      ${
        now.state === 'done'
          ? html`<img src="${now.posterUrl}" alt="" loading="lazy" />`
          : icon(now.state === 'failed' ? 'failed' : 'film')
      }
    </div>
    <h2><a href="/studio/videos/${id}" id="open-${id}">${title}</a></h2>
    ${stateOf(video)}
    <p class="hint">${momentOf(createdAt)}</p>
  </li>`;
}
