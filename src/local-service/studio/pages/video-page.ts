import { html, type Html } from '../html.ts';
import { icon } from './icons.ts';
import { type PageSession, signedPage } from './layout.ts';
import { momentOf } from './moments.ts';
import { isBusy, newsOf, type ShownVideo, stateOf } from './shown-video.ts';

/** A video's state, and the player once it is finished. */
export function videoPage(signed: PageSession, video: ShownVideo): Html {
  const { id, title, createdAt, now } = video;
  return signedPage(
    title,
    signed,
    'studio',
    html`<div class="stack">
      <p><a class="back" href="/studio">${icon('back')} Studio</a></p>
      <p class="hidden" id="news" role="status"></p>
      <article
        class="stack"
        id="video"
        data-live
        data-news="${newsOf(video)}"
        ${isBusy(video) && html`data-busy`}
      >
        <div class="screen">
          ${
            now.state === 'done'
              ? html`<video
                  src="${now.videoUrl}"
                  poster="${now.posterUrl}"
                  controls
                  playsinline
                  preload="metadata"
                  aria-label="${title}"
                ></video>`
              : icon(now.state === 'failed' ? 'failed' : 'film')
          }
        </div>
        <div class="between">
          <div class="heading">
            <h1>${title}</h1>
            ${stateOf(video)}
            <p class="hint">Created ${momentOf(createdAt)}</p>
          </div>
          ${
            now.state === 'done' &&
            html`<a class="button" href="/studio/videos/${id}/file"
              >${icon('download')} Download</a
            >`
          }
        </div>
      </article>
    </div>`,
  );
}
