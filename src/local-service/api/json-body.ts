import type { FastifyInstance } from 'fastify';
import { bodyEncoded, invalidRequest } from './errors.ts';

/** service-api.md §8.5 leaves the size of requests open. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Nesting levels of objects and lists; a storyboard needs five. */
const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Makes `app` accept only JSON bodies, and refuse compressed or deeply nested ones. */
export function acceptOnlyJson(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const coding = request.headers['content-encoding'] ?? '';
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    if (!hasBody || ['', 'identity'].includes(coding.toLowerCase())) {
      done(null, payload);
      return;
    }
    void reply.header('accept-encoding', 'identity');
    done(bodyEncoded());
  });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    (request, body, done) => {
      if (depthOf(body.toString()) > MAX_JSON_DEPTH) {
        done(invalidRequest(`JSON may be nested at most ${MAX_JSON_DEPTH} levels deep.`));
        return;
      }
      void parse(request, body.toString(), done);
    },
  );
}

/** The nesting depth of a JSON text, without parsing it. */
export function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, (depth += 1));
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return deepest;
}
