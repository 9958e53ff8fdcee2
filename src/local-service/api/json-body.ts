import type { FastifyInstance, preParsingHookHandler } from 'fastify';
import { BodyMemory } from '../body-memory.ts';
import { bodyEncoded, invalidRequest, tooManyBodies } from './errors.ts';
import { accountOf } from './guard.ts';

/** service-api.md §8.5 leaves the size of requests open. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Of all bodies of an account at a time. */
const MAX_ACCOUNT_BYTES = 16 * MAX_BODY_BYTES;

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

/**
 * Refuses a body of an account that has too many others in memory or under way. A body counts by
 * its stated size, which is small, so that accounts cannot use up each other's share.
 */
export function bodyLimiter(): preParsingHookHandler {
  const bodies = new BodyMemory({ total: Infinity, perAccount: MAX_ACCOUNT_BYTES });
  return (request, reply, payload, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
    const body = bodies.begin(accountOf(request).id);
    reply.raw.once('close', () => body[Symbol.dispose]());
    const bytes = coding === undefined ? Math.min(Number(length), MAX_BODY_BYTES) : MAX_BODY_BYTES;
    done(body.add(bytes) === undefined ? null : tooManyBodies(), payload);
  };
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
