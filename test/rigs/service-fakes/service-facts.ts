import type { Balance } from '../../../src/contract/service-cost.ts';
import type { BuiltInService } from '../../../src/engine/profiles/services.ts';

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A video as the fake of a service knows it. */
export interface FakeVideo {
  /** 1 for the first one that was accepted. */
  readonly number: number;
  readonly id: string;
  /** The request as JSON, or its form's fields. */
  readonly request: unknown;
  readonly phase: 'queued' | 'working' | 'done' | 'failed';
  /** ISO 8601. */
  readonly createdAt: string;
  /** Of the file: one that works, unless a test let it expire. */
  readonly link: string;
  /** The service's own address. */
  readonly origin: string;
}

/**
 * What the documentation of a service says of its requests and answers (docs/services.md has the
 * addresses). Written from there and not from Spool's profile, which it is to check.
 */
export interface ServiceFacts {
  readonly service: Exclude<BuiltInService, 'documented' | 'this-computer'>;
  /** Origin in the documentation. */
  readonly origin: string;
  /** The header with the key, and what comes before it. */
  readonly auth: { readonly header: string; readonly before: string };
  /** Other headers that every request needs. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: 'json' | 'form';
  /** A CSV's header and one row; `{n}` is the row's number. */
  readonly batch: readonly [header: string, row: string];
  /** Whether a request has what the service needs. */
  isComplete(request: Readonly<Record<string, unknown>>): boolean;
  readonly generatePath: string;
  newId(number: number): string;
  statusPath(id: string): string;
  /** Where the link is asked for, where the status has none. */
  linkPath?(id: string): string;
  /** Where the file is, where the key is needed for it. */
  contentPath?(id: string): string;
  /** How a video is cancelled, where the documentation says so. */
  readonly cancel?: {
    readonly method: string;
    path(id: string): string;
    cancelled(video: FakeVideo): Reply;
    /** The answer when it is finished; `deletes`: it is gone then, file and all. */
    readonly tooLate: Reply | 'deletes';
  };
  accepted(video: FakeVideo): Reply;
  status(video: FakeVideo): Reply;
  link?(video: FakeVideo): Reply;
  /** Too many requests. */
  readonly limited: Reply;
  /** Something in the request is wrong, and the words about it. */
  readonly refused: Reply & { readonly says: string };
  /** What a failed video says. */
  readonly failure: string;
  /** `null`: the documentation does not show it. */
  readonly keyRefused: Reply | null;
  readonly usedUp: Reply | null;
  /** Requests that are allowed, where the documentation has numbers. */
  readonly limit?: {
    readonly of: 'all' | 'generate';
    readonly count: number;
    readonly perMs: number;
  };
  /** Renders at a time that are not refused. */
  readonly concurrent?: number;
  /** What the account has left, where the documentation says how that is asked for. */
  readonly balance?: {
    readonly path: string;
    /** @param left in the unit of the answer */
    answer(left: number): Reply;
    /** The balance that the user sees. */
    shown(left: number): Pick<Balance, 'amount' | 'unit' | 'currency'>;
  };
}
