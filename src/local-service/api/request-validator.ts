import { validatorCompiler } from 'fastify-type-provider-zod';
import { invalidRequest } from './errors.ts';

/**
 * Zod's validator. Zod 4.6 compares the length of anything that has one, also where a text is
 * expected, and throws a `TypeError` where the length is no number: a request of that kind is
 * refused like any other that cannot be read.
 */
export const compileValidator: typeof validatorCompiler = (route) => {
  const validate = validatorCompiler(route);
  return (data) => {
    try {
      return validate(data);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { error: invalidRequest('The request could not be read.') };
    }
  };
};
