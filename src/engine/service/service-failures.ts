import type { Failure } from '../../contract/failure.ts';
import type { AnswerRules } from '../../contract/answer-rules.ts';
import { readTheirError, sentence } from './answer-reader.ts';
import type { Break } from './exchange.ts';
import { parseAnswer } from './json-answer.ts';
import type { Answer } from './outcomes.ts';
import { theirText } from './text-of-theirs.ts';

/** The certificate is not one to trust; the request was not sent (`abuse.md` 26). */
function isCertificateTrouble(code: string): boolean {
  return (
    code.startsWith('CERT_') ||
    code.startsWith('ERR_TLS_CERT') ||
    code.includes('SELF_SIGNED_CERT') ||
    code.startsWith('UNABLE_TO_') ||
    code === 'HOSTNAME_MISMATCH' ||
    code === 'INVALID_CA'
  );
}

/** What a creator is told about a connection, by the system's name for the trouble. */
function connectionTrouble(host: string, code: string): string {
  if (isCertificateTrouble(code)) {
    return `${host} could not prove that it is the service (${code}), so nothing was sent to it.`;
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return `${host} does not speak HTTPS.`;
  }
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The address of ${host} could not be found. Is this computer online?`;
    case 'ECONNREFUSED':
      return `${host} is not answering: it refused the connection.`;
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ENETDOWN':
    case 'EADDRNOTAVAIL':
      return `${host} cannot be reached from this computer now. Is it online?`;
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return `${host} is not answering: the connection took too long.`;
    default:
      return `The connection to ${host} broke (${code}).`;
  }
}

function whatBroke(host: string, cause: Break): string {
  switch (cause.why) {
    case 'stopped':
      return 'Spool was told to stop.';
    case 'timed-out':
      return `${host} took too long to answer.`;
    case 'too-long':
      return `${host} answered with more than 1 MiB, which no answer needs.`;
    case 'connection':
      return connectionTrouble(host, cause.code);
  }
}

/** A request of which no byte left. */
export function notSent(host: string, cause: Break): Failure {
  return cause.why === 'stopped'
    ? { code: 'not-possible-now', message: 'It was stopped before anything was sent.' }
    : { code: 'service-unreachable', message: whatBroke(host, cause) };
}

/** A read that did not come to its end. */
export function unreachable(host: string, cause: Break): Failure {
  return cause.why === 'too-long'
    ? { code: 'answer-unreadable', message: whatBroke(host, cause) }
    : { code: 'service-unreachable', message: whatBroke(host, cause) };
}

/** A request to make a video that left, and whose end is not known. */
export function unknownAfterBreak(host: string, cause: Break): Failure {
  return {
    code: 'outcome-unknown',
    message: `${whatBroke(host, cause)} It is not known whether the video was accepted.`,
  };
}

export function keyMissing(): Failure {
  return { code: 'key-missing', message: 'Enter the API key of your account.' };
}

/** A key that cannot be put into a header, and so is none that the service gave out. */
export function keyMalformed(): Failure {
  return {
    code: 'key-missing',
    message: 'The API key has characters that no key has. Copy it once more from the dashboard.',
  };
}

/** Failures about an answer, with the service's own words. */
export class AnswerFailures {
  readonly #host: string;
  readonly #rules: AnswerRules;

  constructor(host: string, rules: AnswerRules) {
    this.#host = host;
    this.#rules = rules;
  }

  /** service-api.md §5.5: missing, invalid, revoked and expired keys get the same answer. */
  keyRefused(answer: Answer): Failure {
    return {
      code: 'key-refused',
      message: 'The service does not accept the API key. Was it revoked? Enter a new one.',
      ...this.#words(answer),
    };
  }

  quotaUsedUp(answer: Answer): Failure {
    const resetAt = readTheirError(parseAnswer(answer.body), this.#rules).resetAt;
    return {
      code: 'quota-used-up',
      message: 'This month’s videos are used up.',
      ...this.#words(answer),
      ...(resetAt === null ? {} : { retryAt: resetAt }),
    };
  }

  rejected(answer: Answer): Failure {
    return {
      code: 'service-refused',
      message: `The service did not accept this video (it answered ${answer.status}).`,
      ...this.#words(answer),
    };
  }

  notFound(answer: Answer): Failure {
    return {
      code: 'service-refused',
      message: 'The service does not know this video any more.',
      ...this.#words(answer),
    };
  }

  /** A read that was answered, but not with what was asked for. */
  unreadable(answer: Answer, why?: string): Failure {
    if (isRedirect(answer)) {
      return { code: 'service-unreachable', message: this.#redirected() };
    }
    if (answer.status >= 300) {
      return {
        code: answer.status >= 500 ? 'service-unreachable' : 'service-refused',
        message: `${this.#host} could not answer now (status ${answer.status}).`,
        ...this.#words(answer),
      };
    }
    return {
      code: 'answer-unreadable',
      message: `The answer of ${this.#host} could not be understood. ${why ?? ''}`.trim(),
      ...this.#words(answer),
    };
  }

  /** A generate request whose answer does not tell whether the video was accepted. */
  unknown(answer: Answer): Failure {
    const doubt = 'It is not known whether the video was accepted.';
    if (isRedirect(answer)) {
      return { code: 'outcome-unknown', message: `${this.#redirected()} ${doubt}` };
    }
    return {
      code: 'outcome-unknown',
      message:
        answer.status >= 300
          ? `The service answered with status ${answer.status}. ${doubt}`
          : `The service answered, but gave no identifier for the video. ${doubt}`,
      ...this.#words(answer),
    };
  }

  #redirected(): string {
    return `${this.#host} wanted to send the request on to another address, which is not done with an API key. Check the service’s address.`;
  }

  /** The message of an error body (service-api.md §2.4); failing that, the beginning of the body. */
  #words(answer: Answer): Pick<Failure, 'detail'> {
    const said = sentence(readTheirError(parseAnswer(answer.body), this.#rules));
    const detail = said ?? theirText(answer.body);
    return detail === '' ? {} : { detail };
  }
}

function isRedirect(answer: Answer): boolean {
  return answer.status >= 300 && answer.status < 400;
}
