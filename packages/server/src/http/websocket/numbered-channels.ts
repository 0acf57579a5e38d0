import type { Status } from '@tributary/apimachinery';
import type { WebSocketChannel } from './channel.ts';

/** The channels of a remote command; port forwarding has two for each port instead. */
export const commandChannels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** kubectl exec and attach request the first, consoles in browsers the others. */
export const channelProtocols = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v4.base64.channel.k8s.io',
  'channel.k8s.io',
  'base64.channel.k8s.io',
  '',
] as const;

/** The first byte of a message that closes a channel, from version 5 on. */
const CLOSE_SIGNAL = 255;
const DIGIT_ZERO = 0x30;
const BASE64 = /^(?:[+/0-9A-Za-z]{4})*(?:[+/0-9A-Za-z]{2}==|[+/0-9A-Za-z]{3}=)?$/;
/** A text protocol has one digit for the channel. */
const TEXT_CHANNELS_MAX = 10;

export type NumberedMessage =
  | { readonly kind: 'data'; readonly channel: number; readonly data: Uint8Array }
  /** The client closed this channel, as when its standard input ended. */
  | { readonly kind: 'end'; readonly channel: number };

/** Several streams over one WebSocket: the first byte of each message is the channel. */
export interface NumberedChannels extends AsyncIterable<NumberedMessage> {
  send(channel: number, data: Uint8Array): Promise<void>;
  /** The exit status of the command on the error channel, as expected by clients of version 4 and later. */
  sendStatus(status: Status): Promise<void>;
}

/** `channels` is the number of channels; as upstream, messages for others and invalid base64 are dropped. */
export function numberedChannels(
  socket: WebSocketChannel,
  channels = Object.keys(commandChannels).length,
): NumberedChannels {
  const isText = socket.protocol.includes('base64.');
  const canEnd = socket.protocol === 'v5.channel.k8s.io';
  const decode = isText ? decodeText : decodeBinary;
  const encode = isText ? encodeText : encodeBinary;
  const send = (channel: number, data: Uint8Array) => {
    if (channel >= (isText ? TEXT_CHANNELS_MAX : CLOSE_SIGNAL)) {
      throw new RangeError(`channel ${channel} cannot be named in a message`);
    }
    return socket.send(encode(channel, data));
  };
  return {
    send,
    sendStatus: (status) => send(commandChannels.error, Buffer.from(JSON.stringify(status))),
    [Symbol.asyncIterator]: async function* () {
      for await (const { data } of socket) {
        if (canEnd && data[0] === CLOSE_SIGNAL) {
          const [, channel = channels] = data;
          // An invalid close signal is a protocol error; upstream closes the connection, too.
          if (data.length !== 2 || channel >= channels) return void (await socket.close(1002));
          yield { kind: 'end', channel };
        } else {
          const message = decode(data);
          if (message !== undefined && message.channel < channels) yield message;
        }
      }
    },
  };
}

function decodeBinary(data: Uint8Array): NumberedMessage | undefined {
  const [channel] = data;
  if (channel === undefined) return undefined;
  return { kind: 'data', channel, data: data.subarray(1) };
}

function decodeText(data: Uint8Array): NumberedMessage | undefined {
  const channel = (data[0] ?? 0) - DIGIT_ZERO;
  const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString('latin1', 1);
  if (channel < 0 || !BASE64.test(text)) return undefined;
  return { kind: 'data', channel, data: Buffer.from(text, 'base64') };
}

function encodeBinary(channel: number, data: Uint8Array): Uint8Array {
  const message = Buffer.allocUnsafe(data.length + 1);
  message[0] = channel;
  message.set(data, 1);
  return message;
}

function encodeText(channel: number, data: Uint8Array): string {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  return channel + bytes.toString('base64');
}
