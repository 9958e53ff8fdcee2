import type { QuotaParts } from '../gallery.ts';
import { videosLeft } from './videos-left.ts';
import { html, type Html } from '../html.ts';
import { icon } from './icons.ts';
import { type PageSession, signedPage } from './layout.ts';
import { momentOf } from './moments.ts';
import { isBusy, newsOf, type ShownVideo, stateOf } from './shown-video.ts';

/** One page of the account's videos. Pages count from 1. */
export interface ShownPage {
  readonly videos: readonly ShownVideo[];
  readonly page: number;
  readonly pages: number;
}

/** The account's videos, newest first. */
export function galleryPage(signed: PageSession, quota: QuotaParts, shown: ShownPage): Html {
  const { videos, page, pages } = shown;
  return signedPage(
    'Studio',
    signed,
    'studio',
    html`<div class="stack">
      <div class="between">
        <div class="heading">
          <h1>Studio</h1>
          <p class="soft" id="quota" data-live>${videosLeft(quota)}</p>
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
              </ul>
              ${pages > 1 && pager(page, pages)}`
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

function pager(page: number, pages: number): Html {
  const link = (to: number, rel: 'prev' | 'next', label: string): Html =>
    html`<a class="button" href="/studio?page=${to}" rel="${rel}">${label}</a>`;
  return html`<nav class="pager" aria-label="Pages">
    ${page > 1 && link(page - 1, 'prev', 'Newer')}
    <span class="soft">Page ${page} of ${pages}</span>
    ${page < pages && link(page + 1, 'next', 'Older')}
  </nav>`;
}

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
