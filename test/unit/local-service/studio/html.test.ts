import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html } from '../../../../src/local-service/studio/html.ts';

test('text is escaped in content and in attributes', () => {
  const text = `<b title='x'>"&`;
  expect(html`<p title="${text}">${text}</p>`.toString()).toBe(
    '<p title="&lt;b title=&#39;x&#39;&gt;&quot;&amp;">&lt;b title=&#39;x&#39;&gt;&quot;&amp;</p>',
  );
});

/** Any code point, and often one that is special in HTML. */
const character = fc.oneof(
  fc.constantFrom('<', '>', '&', '"', "'"),
  fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
);

test('no text opens a tag, ends an attribute or begins an entity', () => {
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      const made = html`${text}`.toString();
      expect(made).not.toMatch(/[<>"']/);
      expect(made.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
    }),
  );
});

test('markup is inserted unescaped, and lists of it are joined', () => {
  const items = ['a', '<'].map((text) => html`<li>${text}</li>`);
  expect(html`${items}`.toString()).toBe('<li>a</li><li>&lt;</li>');
});

test('absent values are left out, and a zero is shown', () => {
  expect(html`[${undefined}${false}${0}]`.toString()).toBe('[0]');
});
