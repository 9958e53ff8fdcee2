import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { RateLimitStatus } from '../accounts/rate-window.ts';
import type { StoryboardIssue } from '../rendering/image-limits.ts';
import type { QuotaStatus } from '../videos/video-repository.ts';
import type { FinishedVideo, VideoState } from '../videos/video.ts';
import { CommitUncertainError, DatabaseUnavailableError } from '../database-unavailable.ts';
import { BlobDamagedError, StorageOutageError } from '../storage-errors.ts';
import type { ErrorBody } from './schemas.ts';

/** Longer than a short outage, and short enough that clients soon notice its end. */
const RETRY_AFTER_SECONDS = 10;

type ErrorDetails = NonNullable<ErrorBody['details']>;

/** An error response (service-api.md §2.4). */
export class ApiError extends Error {
  readonly statusCode: number;
  readonly code: ErrorBody['code'];
  readonly details: ErrorDetails | undefined;
  /** `Retry-After` of responses other than 429, in seconds. */
  readonly retryAfter: number | undefined;

  constructor(
    statusCode: number,
    code: ErrorBody['code'],
    message: string,
    details?: ErrorDetails,
    retryAfter?: number,
  ) {
    super(message);
    this.name = 'ApiError';
    this.statusCode = statusCode;
    this.code = code;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** service-api.md §5 rules 5 and 6: the body is the same for every reason, to reveal nothing. */
export function unauthorized(): ApiError {
  return new ApiError(401, 'UNAUTHORIZED', 'Send a valid API key in the X-API-Key header.');
}

/** service-api.md §7, §8.2. */
export function rateLimited(rateLimitStatus: RateLimitStatus): ApiError {
  return new ApiError(429, 'RATE_LIMITED', 'Rate limit exceeded. Try again later.', {
    resetAt: new Date(rateLimitStatus.resetAt).toISOString(),
  });
}

/**
 * A 429 is the only documented response that means both that nothing was done and that the request
 * can be repeated (service-api.md §7). After a 5xx, the client would not know whether it was done.
 */
export function diskFull(): ApiError {
  return new ApiError(429, 'RATE_LIMITED', 'The disk of the service is full. Try again later.');
}

export function tooManyFailures({ resetAt }: RateLimitStatus): ApiError {
  return new ApiError(
    429,
    'RATE_LIMITED',
    'Too many videos of this account failed in the last 24 hours. Change what made them fail, and try again later.',
    { resetAt: new Date(resetAt).toISOString() },
  );
}

export function tooManyBodies(): ApiError {
  return new ApiError(
    429,
    'RATE_LIMITED',
    'Too many requests of this account are being received. Try again later.',
  );
}

/** Frames are not part of the documented API; here, too, a 429 means that nothing was done. */
export function framesBusy(): ApiError {
  return new ApiError(429, 'RATE_LIMITED', 'Too many frames are waiting. Try again later.');
}

export function quotaExceeded({ used, limit, resetAt }: QuotaStatus): ApiError {
  return new ApiError(
    403,
    'QUOTA_EXCEEDED',
    `The monthly quota of ${limit} videos is used up. It resets at the date in details.resetAt.`,
    { used, limit, resetAt: new Date(resetAt).toISOString() },
  );
}

export function invalidRequest(message: string): ApiError {
  return new ApiError(400, 'INVALID_REQUEST', message);
}

/** In the message; the details have all of them. */
const MAX_NAMED_ISSUES = 3;

/** For a JSON body that is not a valid storyboard, with all its errors. */
export function invalidStoryboard(issues: readonly StoryboardIssue[]): ApiError {
  const named = issues
    .slice(0, MAX_NAMED_ISSUES)
    .map(({ path, reason }) => `${path.slice(1).replaceAll('/', '.') || 'it'} ${reason}`);
  const more = issues.length - named.length;
  const list = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
  const message = `The request is not valid: ${list}.`;
  return new ApiError(400, 'INVALID_REQUEST', message, { issues: [...issues] });
}

export function fileTooLarge(): ApiError {
  const message = 'A clip or a sound may have 1 GB at most, a picture or a font 40 MiB.';
  return new ApiError(413, 'PAYLOAD_TOO_LARGE', message);
}

/** The response for unknown videos and for other accounts' videos is identical. */
export function videoNotFound(): ApiError {
  return new ApiError(404, 'VIDEO_NOT_FOUND', 'There is no video with this identifier.');
}

export function videoNotReady(state: Exclude<VideoState, 'done'>): ApiError {
  const message =
    state === 'failed'
      ? 'Rendering this video failed, so there is nothing to download.'
      : 'This video is not finished yet. Ask for its status, and try again when it is done.';
  return new ApiError(409, 'VIDEO_NOT_READY', message, { status: state });
}

/** RFC 9110 §15.5.11: the video existed, and will not be available again. */
export function videoExpired({ expiresAt }: FinishedVideo): ApiError {
  const message = 'This video is deleted: it was kept until the date in details.expiredAt.';
  const expiredAt = new Date(expiresAt).toISOString();
  return new ApiError(410, 'VIDEO_EXPIRED', message, { expiredAt });
}

/** RFC 9110 §8.4: for a compressed or otherwise encoded body. */
export function bodyEncoded(): ApiError {
  const message = 'Send the body as it is, without a Content-Encoding.';
  return new ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', message);
}

export function notFound(): ApiError {
  return new ApiError(404, 'NOT_FOUND', 'There is nothing at this address.');
}

export function linkInvalid(): ApiError {
  return new ApiError(403, 'LINK_INVALID', 'This is not a link that the service has made.');
}

export function linkExpired(): ApiError {
  return new ApiError(410, 'LINK_EXPIRED', 'This link has expired. Ask for a new one.');
}

export function preconditionFailed(): ApiError {
  return new ApiError(412, 'PRECONDITION_FAILED', 'The file is not the one that If-Match names.');
}

export function rangeNotSatisfiable(): ApiError {
  return new ApiError(416, 'RANGE_NOT_SATISFIABLE', 'The file ends before the range begins.');
}

/**
 * For an outage of something that the service needs. Only for requests that changed nothing, since
 * a 5xx leaves open whether something was done.
 */
export function unavailable(message: string): ApiError {
  return new ApiError(503, 'UNAVAILABLE', message, undefined, RETRY_AFTER_SECONDS);
}

export function databaseUnavailable(): ApiError {
  return unavailable('The database of the service does not answer. Try again later.');
}

/** Has no `Retry-After`: a client that repeats the request may pay for a second video. */
function acceptanceUncertain(): ApiError {
  const message = 'The database was lost meanwhile. The video may have been accepted.';
  return new ApiError(503, 'UNAVAILABLE', message);
}

/** The log and the status of waiting videos contain the reason. */
export function storageUnavailable(): ApiError {
  return unavailable('The files of the service cannot be read for now. Try again later.');
}

export function fileDamaged(): ApiError {
  return new ApiError(500, 'INTERNAL', 'The stored file is damaged.');
}

/** service-api.md §5 rule 8. */
export function httpsRequired(): ApiError {
  return new ApiError(426, 'HTTPS_REQUIRED', 'This service is used over HTTPS only.');
}

/**
 * Converts any error to an `ApiError`. An unexpected one becomes a 500 that does not reveal its
 * cause.
 */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CommitUncertainError) return acceptanceUncertain();
  if (error instanceof DatabaseUnavailableError) return databaseUnavailable();
  if (error instanceof StorageOutageError) return storageUnavailable();
  if (error instanceof BlobDamagedError) return fileDamaged();
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = error.validation.map((issue) => ({
      path: issue.instancePath === '/' ? '' : issue.instancePath,
      reason: issue.message ?? 'is not valid',
    }));
    return invalidStoryboard(issues);
  }
  const statusCode = isFastifyError(error) ? error.statusCode : undefined;
  switch (statusCode) {
    case 400:
      return invalidRequest('The request could not be read.');
    case 414:
      return notFound();
    case 413:
      return new ApiError(413, 'PAYLOAD_TOO_LARGE', 'A body may be at most 1 MiB long.');
    case 415:
      return new ApiError(
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        'Send the body as JSON, with Content-Type: application/json.',
      );
    default:
      return new ApiError(500, 'INTERNAL', 'Something went wrong on the side of the service.');
  }
}

/** The body of service-api.md §2.4. */
export function bodyOf(error: ApiError): ErrorBody {
  return {
    success: false,
    message: error.message,
    code: error.code,
    ...(error.details && { details: error.details }),
  };
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error;
}
