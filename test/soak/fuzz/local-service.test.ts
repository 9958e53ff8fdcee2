import { InvalidArgumentError } from 'commander';
import { expect } from 'vitest';
import { depthOf } from '../../../src/local-service/api/json-body.ts';
import {
  parseBillingDate,
  parseEmail,
  parseLimit,
  parsePort,
  parseRetention,
  parseVideos,
} from '../../../src/local-service/command-line-values.ts';
import {
  costOf,
  MAX_PIXEL_SECONDS,
  storyboardSchema,
  type Storyboard,
} from '../../../src/local-service/rendering/storyboard.ts';
import {
  draftFrom,
  checkDraft,
  MAX_SCENES,
} from '../../../src/local-service/studio/drafts/draft.ts';
import { parseUrlEncoded } from '../../../src/local-service/studio/form-body.ts';
import { html } from '../../../src/local-service/studio/html.ts';
import { EVERY_KIND } from '../../rigs/storyboards.ts';
import { ApiError } from '../../../src/local-service/api/errors.ts';
import { compileValidator } from '../../../src/local-service/api/request-validator.ts';
import { fuzz, textOf } from './fuzz.ts';
import { ofJson } from './mutations.ts';

const STORYBOARD = { title: 'A small film', scenes: EVERY_KIND, theme: { accent: '#ffb020' } };

const route = { method: 'POST', url: '/', httpPart: 'body' };
const validate = compileValidator({ ...route, schema: storyboardSchema });

fuzz('the body of a request', {
  mutations: ofJson,
  seeds: [JSON.stringify(STORYBOARD), JSON.stringify({ ...STORYBOARD, duration: 20, fps: 60 })],
  tokens: [
    '"scenes":',
    '"kind":',
    '"title"',
    '"image":',
    '"data:image/png;base64,iVBOR"',
    '"seconds":',
    '"duration":',
    '"resolution":',
    '2160',
    '"fps":',
    '0.001',
    '"theme":',
    '{"a":',
    '[[[',
  ],
  parse(bytes) {
    const text = textOf(bytes);
    return { text, read: validate(jsonOf(text)) as { value?: Storyboard; error?: unknown } };
  },
  check({ read, text }) {
    const { value: storyboard, error } = read;
    if (storyboard === undefined) {
      if (Array.isArray(error)) expect(error.length).toBeGreaterThan(0);
      else expect(error).toBeInstanceOf(ApiError);
      return;
    }
    expect(depthOf(text)).toBeGreaterThan(0);
    const { pixels, seconds, frames } = costOf(storyboard);
    expect(pixels * seconds).toBeLessThanOrEqual(MAX_PIXEL_SECONDS);
    expect(Number.isSafeInteger(frames) && frames > 0).toBe(true);
    expect(storyboardSchema.parse(JSON.parse(JSON.stringify(storyboard)))).toEqual(storyboard);
  },
  runs: 100,
});

fuzz('depthOf', {
  mutations: ofJson,
  seeds: [JSON.stringify(STORYBOARD), '[[[["\\\\"]]]]', '{"a":{"b":[1,{"c":"]"}]}}'],
  tokens: ['[', '{', '"', '\\\\', '\\"', ']', '}'],
  parse: (bytes) => ({ depth: depthOf(textOf(bytes)), json: jsonOf(textOf(bytes)) }),
  check({ depth, json }) {
    if (json !== undefined) expect(depth).toBe(nesting(json));
  },
});

const FORM = new URLSearchParams({
  token: 'x',
  title: 'A film',
  resolution: '720',
  fps: '30',
  duration: '2,5',
  'scene-0-kind': 'title',
  'scene-0-text': 'Hello',
  'scene-1-kind': 'list',
  'scene-1-items': 'a\r\nb',
  'scene-2-kind': 'countdown',
  'scene-2-from': '3',
}).toString();

fuzz('the form of a video', {
  seeds: [FORM],
  tokens: [
    'scene-3-kind=title',
    '&',
    '=',
    '%0d%0a',
    '%',
    'scene-99-kind=',
    '__proto__=',
    'fps=1e9',
  ],
  parse(bytes) {
    const draft = draftFrom(parseUrlEncoded(textOf(bytes)).fields);
    return { draft, verdict: checkDraft(draft) };
  },
  check({ draft, verdict }) {
    expect(draft.scenes.length).toBeLessThanOrEqual(MAX_SCENES);
    if (verdict.kind === 'invalid') {
      expect(verdict.issues.size).toBeGreaterThan(0);
      for (const sentence of verdict.issues.values()) expect(sentence).toMatch(/\.$/);
    } else expect(storyboardSchema.parse(verdict.storyboard)).toEqual(verdict.storyboard);
  },
  runs: 100,
});

fuzz('html', {
  seeds: ['<script>alert(1)</script>', '" onload="x', "' &amp;"],
  tokens: ['<', '>', '"', "'", '&', '<!--', ']]>'],
  parse: (bytes) => String(html`<a title="${textOf(bytes)}">${textOf(bytes)}</a>`),
  check(markup) {
    const [, title = '', text = ''] = /^<a title="([^"]*)">([^<]*)<\/a>$/.exec(markup) ?? [];
    expect(`<a title="${title}">${text}</a>`).toBe(markup);
    expect(title + text).not.toMatch(/[<>"']/);
  },
});

fuzz('values of command-line options', {
  seeds: ['8443', '30', '2026-03-17', 'generate=10/3600s', 'you@example.com', '100'],
  tokens: ['generate=', '/', 's', '@', '.', '0x10', '1e3', ' ', '2026-02-30'],
  throws: [InvalidArgumentError],
  parse(bytes) {
    const text = textOf(bytes);
    return [parsePort, parseRetention, parseVideos, parseBillingDate, parseEmail, parseLimit].map(
      (read) => {
        try {
          return read(text);
        } catch (error) {
          if (error instanceof InvalidArgumentError) return null;
          throw error;
        }
      },
    );
  },
  check([port, retention, videos]) {
    for (const number of [port, retention, videos]) {
      if (typeof number === 'number')
        expect(Number.isSafeInteger(number) && number >= 0).toBe(true);
    }
  },
});

function nesting(json: unknown): number {
  let depth = 0;
  let level: unknown[] = [json];
  for (;;) {
    level = level.filter((value) => typeof value === 'object' && value !== null);
    if (level.length === 0) return depth;
    depth += 1;
    level = level.flatMap((value) => Object.values(value as object) as unknown[]);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
