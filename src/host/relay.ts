import { isContractProcedure, type AnyContractRouter } from '@orpc/contract';
import { os, type AnyRouter } from '@orpc/server';
import type { Client } from '../contract/contract.ts';
import { toContractError } from './failures.ts';

/** A call of the contract to be answered by another router or process. */
export interface RelayedCall {
  /** For example `['jobs', 'list']`. */
  readonly path: readonly string[];
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
}

/**
 * A router that passes every call of a contract, or a part of it, to `answer`. It does not validate
 * input; the answering router does.
 */
export function relayRouter(
  part: AnyContractRouter,
  answer: (call: RelayedCall) => Promise<unknown>,
  path: readonly string[] = [],
): AnyRouter {
  if (!isContractProcedure(part)) {
    const inner = Object.entries(part as Readonly<Record<string, AnyContractRouter>>);
    return Object.fromEntries(
      inner.map(([name, each]) => [name, relayRouter(each, answer, [...path, name])]),
    );
  }
  return os.handler(async ({ input, signal }) => {
    try {
      return await answer({ path, input, signal });
    } catch (error) {
      throw toContractError(error);
    }
  });
}

/** Makes a relayed call on a client. */
export function callOf(client: Client, { path, input, signal }: RelayedCall): Promise<unknown> {
  const called = path.reduce<unknown>((part, name) => (part as Parts)[name], client);
  return (called as Procedure)(input, { signal });
}

type Parts = Readonly<Record<string, unknown>>;

type Procedure = (input: unknown, options: object) => Promise<unknown>;
