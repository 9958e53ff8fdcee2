/** The documented API with pictures of rows. */
import { serviceApiSchema } from '../../src/contract/service-profile.ts';
import type { Profile } from '../../src/engine/profiles/profile.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';

export const UPLOAD_PATH = '/api/v1/files';

/** @param send how pictures are sent; an uploaded one is named by a number */
export function profileSending(send: 'upload' | 'part' | 'data-url'): Profile {
  return {
    ...storyboardProfile,
    name: 'With pictures',
    api: serviceApiSchema.parse({
      ...(send === 'upload' && { upload: { path: UPLOAD_PATH, at: 'id', as: 'number' } }),
      ...(send === 'part' && { generate: { body: 'multipart' } }),
    }),
    request: {
      title: 'title',
      columns: {
        title: { type: 'text', required: true },
        picture: { type: 'picture', send },
      },
      preset: [],
      body: { title: '{{title}}', picture: '{{picture}}' },
    },
  };
}
