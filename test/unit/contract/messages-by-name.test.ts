import {
  getEventIteratorSchemaDetails,
  isContractProcedure,
  type AnyContractRouter,
  type AnySchema,
} from '@orpc/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '../../../src/contract/contract.ts';

/** Properties with text for users. A service's own text (`detail`) stays as it is. */
const USER_TEXT = new Set(['message', 'why', 'reason', 'trouble', 'note', 'sentence', 'hint']);

/** The schemas of what a procedure may answer. */
interface ProcedureSchemas {
  readonly outputSchema?: AnySchema;
  readonly errorMap: Readonly<Record<string, { readonly data?: unknown } | undefined>>;
}

type Place = readonly [string, z.core.$ZodType];

function proceduresIn(router: AnyContractRouter, path = ''): Place[] {
  if (isContractProcedure(router)) {
    const { outputSchema, errorMap } = router['~orpc'] as ProcedureSchemas;
    const yielded = getEventIteratorSchemaDetails(outputSchema)?.yields;
    const failed = Object.values(errorMap).map((error) => error?.data);
    return [outputSchema, yielded, ...failed].flatMap((schema): Place[] =>
      schema instanceof z.core.$ZodType ? [[path, schema]] : [],
    );
  }
  return Object.entries(router).flatMap(([name, part]) =>
    proceduresIn(part as AnyContractRouter, `${path}${name}.`),
  );
}

/** The parts of a schema, with their paths. */
function partsOf([path, schema]: Place): Place[] {
  const parts = Object.entries(schema._zod.def).flatMap(([name, part]: [string, unknown]) =>
    name === 'shape' && typeof part === 'object' && part !== null
      ? Object.entries(part).map(([key, value]): [string, unknown] => [`.${key}`, value])
      : [part].flat().map((value): [string, unknown] => ['', value]),
  );
  return parts.flatMap(([name, part]): Place[] =>
    part instanceof z.core.$ZodType ? [[path + name, part]] : [],
  );
}

function everythingIn(start: readonly Place[]): Place[] {
  const seen = new Set<z.core.$ZodType>();
  const found: Place[] = [];
  const left = [...start];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    if (seen.has(place[1])) continue;
    seen.add(place[1]);
    found.push(place);
    left.push(...partsOf(place));
  }
  return found;
}

/** Whether a schema is text, also optional or in a union, but not in an object. */
function isText(schema: unknown): boolean {
  if (schema instanceof z.core.$ZodString) return true;
  return schema instanceof z.core.$ZodType
    ? partsOf(['', schema]).some(([name, part]) => name === '' && isText(part))
    : false;
}

it('has named messages wherever the contract has text for users', () => {
  const objects = everythingIn(proceduresIn(contract)).flatMap(([path, schema]) =>
    schema instanceof z.ZodObject ? [{ path, shape: schema.shape }] : [],
  );
  const named = objects.filter(({ shape }) => 'says' in shape);
  const unnamed = objects
    .filter(({ shape }) => !('says' in shape) && !('values' in shape))
    .flatMap(({ path, shape }) =>
      Object.keys(shape)
        .filter((name) => USER_TEXT.has(name) && isText(shape[name]))
        .map((name) => `${path}.${name}`),
    );
  expect(named.length).toBeGreaterThanOrEqual(3);
  expect(unnamed).toEqual([]);
});
