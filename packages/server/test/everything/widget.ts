import Type from 'typebox';
import { acceptWebSocket } from '../../src/http/websocket/index.ts';
import { defineResource } from '../../src/index.ts';
import { fromV1alpha1, fromV1beta1 } from './widget-conversions.ts';
import { Colour } from './widget-schemas.ts';
import { widgetV1, widgetV1alpha1, widgetV1beta1 } from './widget-versions.ts';

/** Three versions, and every kind of subresource. */
export const Widget = defineResource({
  kind: 'Widget',
  plural: 'widgets',
  shortNames: ['wd', 'wdg'],
  categories: ['all', 'everything'],
  scope: 'Namespaced',
  storageVersion: 'v1',
  versions: { v1: widgetV1, v1beta1: widgetV1beta1, v1alpha1: widgetV1alpha1 },
  conversions: { v1beta1: fromV1beta1, v1alpha1: fromV1alpha1 },
  subresources: {
    status: true,
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
    actions: {
      /** Has a kind of its own, which is sent and answered. */
      reset: {
        kind: { group: 'everything.example.com', version: 'v1', kind: 'WidgetReset' },
        body: Type.Object({
          colour: Type.Optional(Colour),
          reason: Type.String({ minLength: 1 }),
        }),
        run: async ({ body, update }) => {
          const { spec } = await update((widget) => ({
            ...widget,
            spec: { replicas: 0, colour: body.colour ?? 'red' },
          }));
          return {
            apiVersion: 'everything.example.com/v1',
            kind: 'WidgetReset',
            colour: spec.colour,
            reason: body.reason,
          };
        },
      },
      /** Has a body that is no object of the API, and answers the widget. */
      paint: {
        body: Type.Object({ colour: Colour }),
        run: async ({ body, update }) =>
          update((widget) => ({ ...widget, spec: { ...widget.spec, colour: body.colour } })),
      },
    },
    connections: {
      /** A conversation: everything that is said comes back. */
      console: {
        methods: ['GET', 'POST'],
        connect: async ({ request }) =>
          acceptWebSocket(request, {
            serve: async (channel) => {
              for await (const { data, isText } of channel) {
                await channel.send(isText ? Buffer.from(data).toString() : data);
              }
            },
          }),
      },
      /** Answers what was asked, on any path below it. */
      proxy: {
        methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        subpath: true,
        longRunning: false,
        connect: async ({ object, request, path }) => {
          const body = Buffer.from(await request.body()).toString();
          const text = `${request.method} ${object.metadata.name} /${path} ${body}`.trimEnd();
          return {
            kind: 'bytes',
            code: 200,
            contentType: 'text/plain; charset=utf-8',
            chunks: [Buffer.from(`${text}\n`)],
          };
        },
      },
    },
  },
});
