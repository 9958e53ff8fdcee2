import { validatorCompiler } from 'fastify-type-provider-zod';
import { invalidRequest } from './errors.ts';

/**
 * Zod's validator, without its `TypeError`: where a text is expected, Zod 4.6 compares the `length`
 * of any value that has one, and throws when that is not a number. Such a request gets a 400.
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
