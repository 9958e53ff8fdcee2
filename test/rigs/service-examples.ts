import type { ServiceExamples } from '../../src/contract/service-examples.ts';
import { serviceExamplesSchema } from '../../src/contract/service-examples.ts';
import type { ServiceFacts } from './service-fakes/service-facts.ts';

/**
 * Requests and responses as the documentation of a service shows them (docs/services.md), in our
 * words.
 */
interface Documentation {
  readonly service: ServiceFacts['service'];
  readonly requests: Partial<ServiceExamples['requests']>;
  readonly answers: ServiceExamples['answers'];
  /** A CSV's header and one row that the proposed profile reads. */
  readonly batch: ServiceFacts['batch'];
}

const documentation: readonly Documentation[] = [
  {
    service: 'openai',
    requests: {
      generate: `curl -X POST "https://api.openai.com/v1/videos" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -H "Content-Type: multipart/form-data" \\
  -F prompt="A paper boat on a lake" \\
  -F model="sora-2" \\
  -F size="1280x720" \\
  -F seconds="4"`,
      status: `curl https://api.openai.com/v1/videos/video_abc123 -H "Authorization: Bearer $OPENAI_API_KEY"`,
      file: `curl -L "https://api.openai.com/v1/videos/video_abc123/content" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" --output video.mp4`,
      list: `curl https://api.openai.com/v1/videos -H "Authorization: Bearer $OPENAI_API_KEY"`,
    },
    answers: {
      generate:
        '{"id":"video_abc123","object":"video","model":"sora-2","status":"queued","progress":0,"created_at":1712697600,"size":"1280x720","seconds":"4"}',
      status: `{"id":"video_abc123","object":"video","status":"in_progress","progress":33,"seconds":"4"}
{"id":"video_abc123","object":"video","status":"completed","progress":100,"seconds":"4"}
{"id":"video_abc123","object":"video","status":"failed","error":{"code":"moderation_blocked","message":"Blocked."}}`,
    },
    batch: ['title,prompt,seconds', 'Clip {n},A lake number {n},4'],
  },
  {
    service: 'runway',
    requests: {
      generate: `curl -X POST https://api.dev.runwayml.com/v1/text_to_video \\
  -H "Content-Type: application/json" \\
  -H "Authorization: Bearer $RUNWAYML_API_SECRET" \\
  -H "X-Runway-Version: 2024-11-06" \\
  -d '{
    "promptText": "A paper boat on a lake",
    "ratio": "1280:720",
    "duration": 5,
    "model": "gen4.5"
  }'`,
      status: `curl https://api.dev.runwayml.com/v1/tasks/{id} \\
  -H "Authorization: Bearer $RUNWAYML_API_SECRET" -H "X-Runway-Version: 2024-11-06"`,
      cancel: 'curl -X DELETE https://api.dev.runwayml.com/v1/tasks/{id}',
      list: 'GET https://api.dev.runwayml.com/v1/organization',
    },
    answers: {
      generate: '{ "id": "497f6eca-6276-4993-bfeb-53cbbbba6f08" }',
      status: `{"id":"17f20503-6c24-4c16-946b-35dbbce2af2f","status":"THROTTLED","createdAt":"2024-06-27T19:49:32.334Z"}
{"id":"17f20503-6c24-4c16-946b-35dbbce2af2f","status":"RUNNING","createdAt":"2024-06-27T19:49:32.334Z","progress":0.4}
{"id":"17f20503-6c24-4c16-946b-35dbbce2af2f","status":"SUCCEEDED","createdAt":"2024-06-27T19:49:32.334Z","output":["https://files.example.com/v.mp4?_jwt=x"]}`,
    },
    batch: ['title,prompt,seconds', 'Clip {n},A lake number {n},5'],
  },
  {
    service: 'creatomate',
    requests: {
      generate: `curl -X POST https://api.creatomate.com/v2/renders \\
  -H 'Authorization: Bearer YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "template_id": "8ea1bb5f-c2f6-4a80-b4d9-f4ab1a5f3b2e",
    "modifications": { "Title.text": "Your text here", "Background.source": "https://example.com/a.jpg" },
    "webhook_url": "https://example.com/webhook"
  }'`,
      status: `curl https://api.creatomate.com/v2/renders/a862533c-8fb4-4b41-b5f8-42a4a1b1d36f -H 'Authorization: Bearer YOUR_API_KEY'`,
    },
    answers: {
      generate:
        '{"id":"a862533c-8fb4-4b41-b5f8-42a4a1b1d36f","status":"planned","url":"https://cdn.example.com/renders/a.mp4","template_id":"8ea1bb5f-c2f6-4a80-b4d9-f4ab1a5f3b2e"}',
      status: `{"id":"a862533c-8fb4-4b41-b5f8-42a4a1b1d36f","status":"rendering","url":"https://cdn.example.com/renders/a.mp4"}
{"id":"a862533c-8fb4-4b41-b5f8-42a4a1b1d36f","status":"succeeded","url":"https://cdn.example.com/renders/a.mp4","snapshot_url":"https://cdn.example.com/renders/a.jpg","width":1280}`,
    },
    batch: ['title,Title.text', 'Clip {n},A lake number {n}'],
  },
  {
    service: 'shotstack',
    requests: {
      generate: `curl -X POST \\
     -H "Content-Type: application/json" \\
     -H "x-api-key: SHOTSTACK_API_KEY" \\
     -d '
{
  "timeline": {
    "background": "#000000",
    "tracks": [
      { "clips": [ { "asset": { "type": "title", "text": "Hello", "style": "minimal" }, "start": 0, "length": 5 } ] }
    ]
  },
  "output": { "format": "mp4", "resolution": "hd" }
}' https://api.shotstack.io/edit/v1/render`,
      status: `curl -X GET -H "x-api-key: SHOTSTACK_API_KEY" "https://api.shotstack.io/edit/v1/render/{id}?data=false"`,
    },
    answers: {
      generate:
        '{"success":true,"message":"Created","response":{"message":"Render Successfully Queued","id":"d2b46ed6-998a-4d6b-9d91-b8cf0193a655"}}',
      status: `{"success":true,"message":"OK","response":{"id":"d2b46ed6-998a-4d6b-9d91-b8cf0193a655","owner":"5ca6hu7s9k","status":"rendering"}}
{"success":true,"message":"OK","response":{"id":"d2b46ed6-998a-4d6b-9d91-b8cf0193a655","owner":"5ca6hu7s9k","status":"done","url":"https://cdn.example.com/d.mp4","error":""}}`,
    },
    batch: ['title,text,seconds', 'Clip {n},A lake number {n},5'],
  },
  {
    service: 'json2video',
    requests: {
      generate: `POST /v2/movies HTTP/1.1
Host: api.json2video.com
x-api-key: {YOUR-API-KEY}
Content-Type: application/json

{
  "resolution": "full-hd",
  "scenes": [
    { "duration": 5, "elements": [ { "type": "text", "text": "Hello world", "style": "001", }, ] },
  ]
}`,
      status: 'GET https://api.json2video.com/v2/movies?project=q663vmm2&format=simple',
    },
    answers: {
      generate: '{"success":true,"project":"q663vmm2","timestamp":"2024-04-08T15:31:33.193Z"}',
      status: `HTTP/1.1 200 OK

{"success":true,"movie":{"success":false,"status":"running","message":"Rendering scene 1","project":"q663vmm2","url":null},"remaining_quota":{"time":1800}}
{"success":true,"movie":{"success":true,"status":"done","message":"","project":"q663vmm2","url":"https://assets.example.com/q663vmm2.mp4","width":1920},"remaining_quota":{"time":1800}}`,
    },
    batch: ['title,text,seconds', 'Clip {n},A lake number {n},5'],
  },
  {
    service: 'heygen',
    requests: {
      generate: `curl --request POST \\
  --url https://api.heygen.com/v3/videos \\
  --header 'content-type: application/json' \\
  --header 'x-api-key: <your-api-key>' \\
  --header 'Idempotency-Key: 5b4a7a3e-3f1f-4a34-9b1c-0f36c9a7b2d1' \\
  --data '{
    "type": "avatar", "avatar_id": "Abigail_expressive", "voice_id": "1bd001e7e50f421d891986aad5158bc8",
    "script": "Hello from the lake.", "resolution": "1080p", "callback_url": "https://example.com/hook"
  }'`,
      status: `curl --request GET --url https://api.heygen.com/v3/videos/{video_id} --header 'x-api-key: <your-api-key>'`,
    },
    answers: {
      generate: '{"data":{"video_id":"vid_xyz789","status":"waiting"}}',
      status: `{"data":{"id":"vid_xyz789","status":"processing","title":"A"}}
{"data":{"id":"vid_xyz789","status":"completed","title":"A","video_url":"https://files.example.com/a.mp4","thumbnail_url":"https://files.example.com/a.jpg"}}
{"data":{"id":"vid_xyz789","status":"failed","failure_code":"x","failure_message":"The picture is not there."}}`,
    },
    batch: ['title,script', 'Clip {n},Hello number {n}'],
  },
  {
    service: 'replicate',
    requests: {
      generate: `curl -s -X POST \\
  -d '{"version": "minimax/hailuo-2.3", "input": {"prompt": "A paper boat", "duration": 6}}' \\
  -H "Authorization: Bearer $REPLICATE_API_TOKEN" \\
  -H 'Content-Type: application/json' \\
  https://api.replicate.com/v1/predictions`,
      cancel: `curl -s -X POST -H "Authorization: Bearer $REPLICATE_API_TOKEN" https://api.replicate.com/v1/predictions/gm3qorzdhgbfurvjtvhg6dckhu/cancel`,
    },
    answers: {
      generate:
        '{"id":"gm3qorzdhgbfurvjtvhg6dckhu","model":"minimax/hailuo-2.3","input":{"prompt":"A paper boat"},"logs":"","error":null,"status":"starting","created_at":"2023-09-08T16:19:34.765994657Z","urls":{"cancel":"https://api.replicate.com/v1/predictions/gm3qorzdhgbfurvjtvhg6dckhu/cancel","get":"https://api.replicate.com/v1/predictions/gm3qorzdhgbfurvjtvhg6dckhu"}}',
      status:
        '{"id":"gm3qorzdhgbfurvjtvhg6dckhu","input":{"prompt":"A paper boat"},"output":"https://replicate.delivery.example/a.mp4","error":null,"status":"succeeded","urls":{"get":"https://api.replicate.com/v1/predictions/gm3qorzdhgbfurvjtvhg6dckhu"}}',
    },
    batch: ['title,prompt,seconds', 'Clip {n},A lake number {n},6'],
  },
  {
    service: 'fal',
    requests: {
      generate: `curl --request POST \\
  --url https://queue.fal.run/bytedance/seedance-2.0/mini/text-to-video \\
  --header "Authorization: Key $FAL_KEY" \\
  --header "Content-Type: application/json" \\
  --data '{ "prompt": "A paper boat on a lake", "duration": "5", "aspect_ratio": "16:9" }'`,
      status: `curl --request GET --url https://queue.fal.run/bytedance/seedance-2.0/requests/80e732af-660e-45cd-bd63-580e4f2a94cc/status \\
  --header "Authorization: Key $FAL_KEY"`,
      file: `curl --request GET --url https://queue.fal.run/bytedance/seedance-2.0/requests/80e732af-660e-45cd-bd63-580e4f2a94cc \\
  --header "Authorization: Key $FAL_KEY"`,
      cancel:
        'curl --request PUT --url https://queue.fal.run/bytedance/seedance-2.0/requests/{request_id}/cancel',
    },
    answers: {
      generate:
        '{"request_id":"80e732af-660e-45cd-bd63-580e4f2a94cc","response_url":"https://queue.fal.run/bytedance/seedance-2.0/requests/80e732af-660e-45cd-bd63-580e4f2a94cc","status_url":"https://queue.fal.run/bytedance/seedance-2.0/requests/80e732af-660e-45cd-bd63-580e4f2a94cc/status","cancel_url":"https://queue.fal.run/bytedance/seedance-2.0/requests/80e732af-660e-45cd-bd63-580e4f2a94cc/cancel","queue_position":0}',
      status: `{"status":"IN_QUEUE","queue_position":0,"response_url":"https://queue.fal.run/a"}
{"status":"IN_PROGRESS","logs":[],"response_url":"https://queue.fal.run/a"}
{"status":"COMPLETED","error":"The runner ended.","error_type":"runner_disconnected"}
{"status":"COMPLETED","logs":[],"response_url":"https://queue.fal.run/a"}`,
      download:
        '{"video":{"url":"https://fal.example/a.mp4","content_type":"video/mp4"},"seed":42}',
    },
    batch: ['title,prompt', 'Clip {n},A lake number {n}'],
  },
];

/** Requests and responses as a user would copy them from a service's documentation. */
export const documentedExamples: readonly {
  readonly service: ServiceFacts['service'];
  readonly examples: ServiceExamples;
  readonly batch: ServiceFacts['batch'];
}[] = documentation.map(({ service, requests, answers, batch }) => ({
  service,
  batch,
  examples: serviceExamplesSchema.parse({ requests, answers }),
}));
