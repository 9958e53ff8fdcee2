/** Tables to start from, for every built-in service. */
import { expect, it } from 'vitest';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { templateFile } from '../../../../src/engine/intake/template-table.ts';
import { builtInProfile } from '../../../../src/engine/profiles/services.ts';
import { serviceNames } from '../../../../src/cli/named-service.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const profiles = [storyboardProfile, ...serviceNames.map(builtInProfile)];

it.each(
  profiles.flatMap((profile) => (['csv', 'xlsx'] as const).map((kind) => ({ profile, kind }))),
)(
  'is read as one video without an error but for the example: $profile.name, $kind',
  async ({ profile: { request }, kind }) => {
    for (const language of ['en', 'de'] as const) {
      const { name, bytes } = await templateFile(request, kind, language);
      const { rows, errors, fileColumns } = readBatch({ name, content: bytes }, request);
      // A picture is a file that only the user has.
      const isPicture = ({ column }: { column?: string | undefined }): boolean =>
        column !== undefined && request.columns[column]?.type === 'picture';
      const others = errors.filter((error) => !isPicture(error));
      expect(others).not.toEqual([]);
      for (const { message } of others) expect(message).toContain('is still the example');
      expect(rows).toEqual([]);
      expect([...fileColumns].sort()).toEqual(Object.keys(request.columns).sort());
    }
  },
);

it('says what each column allows, in the language of the user', async () => {
  const { bytes } = await templateFile(storyboardProfile.request, 'csv', 'de');
  const text = new TextDecoder().decode(bytes);
  expect(text).toMatch(/# aspect: .*16:9, .*9:16/);
  expect(text).toContain('erforderlich');
  expect(text).toMatch(/# accent: .*Farbe wie #ffb020/);
});

it('tells pictures, sounds and addresses apart, and ends each sentence once', async () => {
  const { bytes } = await templateFile(storyboardProfile.request, 'csv', 'en');
  const text = new TextDecoder().decode(bytes);
  expect(text).toMatch(/# logo: .*file name of a picture beside the table/);
  expect(text).toMatch(/# voice: .*file name of a sound beside the table/);
  expect(text).toContain('name of the video (up to 200 characters, required)');
  expect(text).not.toContain('..');
  const { request } = builtInProfile('runway');
  const ofRunway = await templateFile(request, 'csv', 'en');
  expect(new TextDecoder().decode(ofRunway.bytes)).toMatch(/https address/);
});
