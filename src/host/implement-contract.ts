/** Routers in the contract's shape: one function answers all calls, which it finds by their path. */
import {
  type AnyContractProcedure,
  type AnyContractRouter,
  type AnySchema,
  ContractProcedure,
  isContractProcedure,
} from '@orpc/contract';
import { implement, os, type AnyProcedure, type AnyRouter } from '@orpc/server';
import { toContractError } from './failures.ts';

/** A call of the contract. */
export interface ContractCall {
  /** For example `['jobs', 'list']`. */
  readonly path: readonly string[];
  readonly input: unknown;
  /** Streams end when it is aborted. */
  readonly signal: AbortSignal;
}

type Answer = (call: ContractCall) => unknown;

/**
 * Errors for the user are sent as the contract's `FAILED` with the failure as its data; any other
 * error is sent without details.
 */
export const sendsFailures = os.middleware(async ({ next }) => {
  try {
    return await next();
  } catch (error) {
    throw toContractError(error);
  }
});

/** Implements a contract, or a part of it, by a function that gets the validated input. */
export function implementContract(part: AnyContractRouter, answer: Answer): AnyRouter {
  return mapProcedures(part, (each) =>
    implement(withSafeValidation(each)).use(sendsFailures).handler(handlerOf(answer)),
  );
}

/**
 * Implements a contract by a function that passes the calls to another router or process, which
 * validates their input.
 */
export function relayContract(part: AnyContractRouter, answer: Answer): AnyRouter {
  return mapProcedures(part, () => os.use(sendsFailures).handler(handlerOf(answer)));
}

/** The function that handlers, or a client, have at a call's path; `undefined` if there is none. */
export function functionAt(
  functions: object,
  path: readonly string[],
): ((...input: readonly unknown[]) => unknown) | undefined {
  let found: unknown = functions;
  for (const name of path) found = (found as Readonly<Record<string, unknown>> | undefined)?.[name];
  return found as ReturnType<typeof functionAt>;
}

function handlerOf(answer: Answer) {
  return ({ path, input, signal = new AbortController().signal }: HandlerInput) =>
    answer({ path, input, signal });
}

type HandlerInput = Omit<ContractCall, 'signal'> & { readonly signal?: AbortSignal | undefined };

function mapProcedures(
  part: AnyContractRouter,
  procedureOf: (each: AnyContractProcedure) => AnyProcedure,
): AnyRouter {
  if (isContractProcedure(part)) return procedureOf(part);
  const inner = Object.entries(part as Readonly<Record<string, AnyContractRouter>>);
  return Object.fromEntries(inner.map(([name, each]) => [name, mapProcedures(each, procedureOf)]));
}

function withSafeValidation(procedure: AnyContractProcedure): AnyContractProcedure {
  const definition = procedure['~orpc'];
  const schema = definition.inputSchema as AnySchema | undefined;
  if (schema === undefined) return procedure;
  return new ContractProcedure({ ...definition, inputSchema: reportingIssues(schema) });
}

/** A schema that reports an issue where Zod would throw (`contract/safe-parse.ts`). */
function reportingIssues(schema: AnySchema): AnySchema {
  const standard = schema['~standard'];
  return {
    '~standard': {
      ...standard,
      async validate(value) {
        try {
          return await standard.validate(value);
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
          return { issues: [{ message: 'It cannot be read.' }] };
        }
      },
    },
  };
}
