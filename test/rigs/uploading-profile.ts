/** The documented API with an endpoint for the pictures of rows. */
import { serviceApiSchema } from '../../src/contract/service-profile.ts';
import type { Profile } from '../../src/engine/profiles/profile.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';

export const UPLOAD_PATH = '/api/v1/files';

export const uploadingProfile: Profile = {
  ...storyboardProfile,
  name: 'Uploading',
  api: serviceApiSchema.parse({ upload: { path: UPLOAD_PATH, at: 'id' } }),
  request: {
    title: 'title',
    columns: {
      title: { type: 'text', required: true },
      picture: { type: 'picture', send: 'upload' },
    },
    preset: [],
    body: { title: '{{title}}', picture: '{{picture}}' },
  },
};
