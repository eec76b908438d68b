import { expect, test } from 'vitest';
import { NearfieldError } from '../../src/core/errors.js';

test('an error has a code, a message, a name and a location', () => {
  const error = new NearfieldError('file-format', 'Line 3 is no vertex.', { file: 'a.obj', line: 3 });
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toBe('NearfieldError');
  expect(error.code).toBe('file-format');
  expect(error.message).toBe('Line 3 is no vertex.');
  expect(error.location).toEqual({ file: 'a.obj', line: 3 });
  expect(String(error)).toBe('NearfieldError: Line 3 is no vertex.');
  expect(new NearfieldError('aborted', 'x').location).toEqual({});
});
