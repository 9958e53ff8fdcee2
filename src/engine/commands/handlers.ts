import type {
  AnyContractProcedure,
  ContractProcedure,
  InferSchemaInput,
  InferSchemaOutput,
} from '@orpc/contract';
import type { EngineContract } from '../../contract/contract.ts';

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

/** The engine's commands, always for the service in use. */
export type Commands = Handlers<EngineContract>;

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
