import {
  getEventIteratorSchemaDetails,
  isContractProcedure,
  type AnyContractRouter,
  type AnySchema,
} from '@orpc/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '../../../src/contract/contract.ts';

/** Under these names stand words for a person. Those of a service (`detail`) stay as they came. */
const FOR_A_PERSON = new Set(['message', 'why', 'reason', 'trouble', 'note', 'sentence', 'hint']);

/** What a procedure may answer. */
interface Promised {
  readonly outputSchema?: AnySchema;
  readonly errorMap: Readonly<Record<string, { readonly data?: unknown } | undefined>>;
}

type Place = readonly [string, z.core.$ZodType];

function proceduresIn(router: AnyContractRouter, path = ''): Place[] {
  if (isContractProcedure(router)) {
    const { outputSchema, errorMap } = router['~orpc'] as Promised;
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

/** What a schema has in it, with where it is. */
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

/** A text, or nothing, or one of a few codes: whatever is no object. */
function isText(schema: unknown): boolean {
  if (schema instanceof z.core.$ZodString) return true;
  return schema instanceof z.core.$ZodType
    ? partsOf(['', schema]).some(([name, part]) => name === '' && isText(part))
    : false;
}

it('has sentences by name wherever the contract has words for a person', () => {
  const objects = everythingIn(proceduresIn(contract)).flatMap(([path, schema]) =>
    schema instanceof z.ZodObject ? [{ path, shape: schema.shape }] : [],
  );
  const named = objects.filter(({ shape }) => 'says' in shape);
  const unnamed = objects
    .filter(({ shape }) => !('says' in shape) && !('values' in shape))
    .flatMap(({ path, shape }) =>
      Object.keys(shape)
        .filter((name) => FOR_A_PERSON.has(name) && isText(shape[name]))
        .map((name) => `${path}.${name}`),
    );
  expect(named.length).toBeGreaterThanOrEqual(3);
  expect(unnamed).toEqual([]);
});
