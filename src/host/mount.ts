import {
  type AnyContractProcedure,
  type AnySchema,
  ContractProcedure,
  isContractProcedure,
} from '@orpc/contract';
import { implement } from '@orpc/server';
import type { Calls, Handlers } from '../engine/commands/handlers.ts';
import { toContractError } from './failures.ts';

/**
 * Implements a part of the contract. Errors for the user are sent as the contract's `FAILED` with
 * the failure as its data; any other error is sent without details.
 */
export function mount<Part extends object>(
  part: Part,
  calls: Calls<Handlers<Part>>,
): Readonly<Record<keyof Part, object>> {
  const mounted = Object.entries(part).map(([key, each]: [string, object]) => {
    const name = key as keyof Part & string;
    if (!isContractProcedure(each)) return [name, mount(each, calls[name] as object)];
    const call = calls[name] as (input: unknown, signal: AbortSignal) => Promise<unknown>;
    const procedure = implement(withSafeValidation(each))
      .use(async ({ next }) => {
        try {
          return await next();
        } catch (error) {
          throw toContractError(error);
        }
      })
      .handler(({ input, signal = new AbortController().signal }) => call(input, signal));
    return [name, procedure];
  });
  return Object.fromEntries(mounted) as Readonly<Record<keyof Part, object>>;
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
