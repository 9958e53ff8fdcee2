import {
  isContractProcedure,
  type AnyContractProcedure,
  type ContractProcedure,
  type InferSchemaInput,
  type InferSchemaOutput,
} from '@orpc/contract';
import type { engineContract } from '../../contract/contract.ts';

/**
 * Implements a part of the contract: one function for each call, which gets the validated input.
 */
export type Handlers<Part extends object> = {
  readonly [Name in keyof Part]: Part[Name] extends AnyContractProcedure
    ? Handler<Part[Name]>
    : Part[Name] extends object
      ? Handlers<Part[Name]>
      : never;
};

/** The same calls for their callers: each returns a promise, and none throws synchronously. */
export type Calls<Part extends object> = {
  readonly [Name in keyof Part]: Part[Name] extends (...input: infer Input) => infer Output
    ? (...input: Input) => Promise<Awaited<Output>>
    : Part[Name] extends object
      ? Calls<Part[Name]>
      : never;
};

/** The engine's commands, always for the service in use. */
export type Commands = Handlers<typeof engineContract>;

type Handler<Procedure> =
  Procedure extends ContractProcedure<infer Input, infer Output, infer _Errors, infer _Meta>
    ? (
        ...input: Arguments<InferSchemaOutput<Input>, InferSchemaInput<Output>>
      ) => Answer<InferSchemaInput<Output>>
    : never;

/** Streams end when their signal is aborted. */
type Arguments<Input, Output> =
  Output extends AsyncIterator<unknown>
    ? [input: Input, signal: AbortSignal]
    : unknown extends Input
      ? [input?: undefined, signal?: AbortSignal]
      : [input: Input, signal?: AbortSignal];

type Answer<Output> = unknown extends Output ? void | Promise<void> : Output | Promise<Output>;

/**
 * @param handlers called for each call; when it throws, the call rejects
 * @param run makes a call with this input, refuses it or delays it
 */
export function callsOf<Part extends object>(
  part: Part,
  handlers: () => Handlers<Part>,
  run: <T>(input: unknown, call: () => Promise<T>) => Promise<T> = (_, call) => call(),
): Calls<Handlers<Part>> {
  const calls = Object.entries(part).map(([name, each]: [string, object]) => {
    const of = (): object => handlers();
    if (!isContractProcedure(each))
      return [name, callsOf(each, (): object => Reflect.get(of(), name) as object, run)];
    const call = async (...input: unknown[]): Promise<unknown> =>
      run(input[0], async () => {
        const answers = of() as Record<string, (...input: unknown[]) => unknown>;
        return await answers[name]?.(...input);
      });
    return [name, call];
  });
  return Object.fromEntries(calls) as Calls<Handlers<Part>>;
}
