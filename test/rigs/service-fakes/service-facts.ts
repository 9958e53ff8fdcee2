import type { Balance } from '../../../src/contract/service-cost.ts';

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A file in a form. */
export interface FormFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** A video of a fake service. */
export interface FakeVideo {
  /** 1 for the first one that was accepted. */
  readonly number: number;
  readonly id: string;
  /** The request as JSON, or its form's fields. */
  readonly request: unknown;
  readonly phase: 'queued' | 'working' | 'done' | 'failed';
  /** ISO 8601. */
  readonly createdAt: string;
  /** Of the file: a valid one, unless a test let it expire. */
  readonly link: string;
  /** The service's own address. */
  readonly origin: string;
}

/**
 * What the documentation of a service says about its requests and responses (docs/services.md has
 * the addresses). Written from there and not from Spool's profile, which it checks.
 */
export interface ServiceFacts {
  /** Its identifier, if a profile of it is built in. */
  readonly service: string;
  /** Origin in the documentation. */
  readonly origin: string;
  /** The header with the key, and the text before the key. */
  readonly auth: { readonly header: string; readonly before: string };
  /** Other headers that every request needs. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: 'json' | 'form';
  /** A CSV's header and one row; `{n}` is the row's number. */
  readonly batch: readonly [header: string, row: string];
  /** Whether a request contains what the service requires. */
  isComplete(request: Readonly<Record<string, unknown>>, path: string): boolean;
  readonly generatePath: string;
  /** Other addresses for requests, whose bodies differ. */
  readonly otherGeneratePaths?: readonly string[];
  /** Where files are uploaded before a request, in a form with this part. */
  readonly upload?: {
    readonly path: string;
    readonly part: string;
    accepted(number: number, file: FormFile): Reply;
  };
  newId(number: number): string;
  statusPath(id: string): string;
  /** The path of a link request, if the status contains none. */
  linkPath?(id: string): string;
  /** The path of the file, if the service delivers it with the key. */
  contentPath?(id: string): string;
  /** How a video is cancelled, if that is documented. */
  readonly cancel?: {
    readonly method: string;
    path(id: string): string;
    cancelled(video: FakeVideo): Reply;
    /** The response for a finished video; `deletes`: the video and its file are deleted. */
    readonly tooLate: Reply | 'deletes';
  };
  accepted(video: FakeVideo): Reply;
  status(video: FakeVideo): Reply;
  link?(video: FakeVideo): Reply;
  /** Too many requests. */
  readonly limited: Reply;
  /** An error in the request, and its message. */
  readonly refused: Reply & { readonly says: string };
  /** The message of a failed video. */
  readonly failure: string;
  /** `null`: the documentation does not show it. */
  readonly keyRefused: Reply | null;
  readonly usedUp: Reply | null;
  /** Allowed requests, if documented. */
  readonly limit?: {
    readonly of: 'all' | 'generate';
    readonly count: number;
    readonly perMs: number;
  };
  /** Renders at a time that are not refused. */
  readonly concurrent?: number;
  /** The account's balance, if its endpoint is documented. */
  readonly balance?: {
    readonly path: string;
    /** @param left in the unit of the response */
    answer(left: number): Reply;
    /** The balance that the user sees. */
    shown(left: number): Pick<Balance, 'amount' | 'unit' | 'currency'>;
  };
}
