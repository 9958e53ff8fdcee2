import { expect, it } from 'vitest';
import { serviceExamplesSchema } from '../../../../src/contract/service-examples.ts';
import { profileSchema } from '../../../../src/engine/profiles/profile.ts';
import { proposeService } from '../../../../src/host/settings/propose-service.ts';

const ANSWER = '{"id":"abc-1","status":"queued"}';

function proposed(generate: string) {
  const status = 'curl https://api.example.com/v1/videos/abc-1';
  const examples = { requests: { generate, status }, answers: { generate: ANSWER } };
  const { profile, leftOut } = proposeService(serviceExamplesSchema.parse(examples));
  const { request, api } = profileSchema.parse(profile);
  return { request, body: api?.generate.body, leftOut };
}

it('a picture in the example’s request is a file of a row, sent in the same way', () => {
  const { request } = proposed(
    `curl https://api.example.com/v1/videos -H 'Authorization: Bearer KEY' --json '{"prompt":"A lake","image_url":"data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ"}'`,
  );
  expect(request.columns.image_url).toEqual({
    type: 'picture',
    send: 'data-url',
    isAddressPossible: true,
    aliases: ['image', 'picture', 'bild'],
  });
  expect(request.body).toEqual({ prompt: '{{prompt}}', image_url: '{{image_url}}' });
});

it('a list of pictures in the example’s request is a list of a row’s files', () => {
  const { request } = proposed(
    `curl https://api.example.com/v1/videos -H 'Authorization: Bearer KEY' --json '{"prompt":"A lake","image_urls":["data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ","data:image/png;base64,iVBORw0KGgo="]}'`,
  );
  expect(request.columns.image_urls).toEqual({
    type: 'picture',
    send: 'data-url',
    maxItems: 10,
    isAddressPossible: true,
    aliases: ['images', 'pictures', 'bilder'],
  });
  expect(request.body).toEqual({ prompt: '{{prompt}}', image_urls: '{{image_urls}}' });
});

it('whatever its field is called', () => {
  const { request } = proposed(
    `curl https://api.example.com/v1/videos -H 'Authorization: Bearer KEY' --json '{"prompt":"A lake","first":"data:image/png;base64,iVBORw0KGgo="}'`,
  );
  expect(request.columns.first).toMatchObject({ type: 'picture', send: 'data-url' });
  expect(request.columns.first).not.toHaveProperty('isAddressPossible');
});

it('a file of the example’s form is a part of the form', () => {
  const { request, body, leftOut } = proposed(
    "curl https://api.example.com/v1/videos -H 'Authorization: Bearer KEY' -F prompt='A lake' -F input_reference=@boat.jpg -F audio=@song.mp3",
  );
  expect(body).toBe('multipart');
  expect(request.columns.input_reference).toMatchObject({ type: 'picture', send: 'part' });
  expect(request.body).toMatchObject({ input_reference: '{{input_reference}}' });
  expect(leftOut.join()).toContain('audio');
  expect(leftOut.join()).not.toContain('input_reference');
});

it('an address stays an address', () => {
  const { request } = proposed(
    `curl https://api.example.com/v1/videos -H 'Authorization: Bearer KEY' --json '{"prompt":"A lake","image_url":"https://a.example/1.png"}'`,
  );
  expect(request.columns.image_url).toMatchObject({ type: 'text' });
});
