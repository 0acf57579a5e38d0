import type { DownwardAPIVolumeFile, Volume, VolumeProjection } from '@tributary/api/core-v1';
import { defaultPullPolicy } from './image-name.ts';

/** 0644: all users read, the owner writes. */
const FILE_MODE = 0o644;
const TOKEN_SECONDS = 3_600;

/** A volume without a source is an emptyDir. */
export function defaultVolume(volume: Volume): void {
  if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {};
  for (const source of [volume.secret, volume.configMap, volume.downwardAPI, volume.projected]) {
    if (source) source.defaultMode ??= FILE_MODE;
  }
  if (volume.hostPath) volume.hostPath.type ??= '';
  if (volume.image) volume.image.pullPolicy ||= defaultPullPolicy(volume.image.reference ?? '');
  for (const file of volume.downwardAPI?.items ?? []) defaultFile(file);
  for (const projection of volume.projected?.sources ?? []) defaultProjection(projection);
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  if (claim) claim.volumeMode ??= 'Filesystem';
  defaultDisk(volume);
}

function defaultFile({ fieldRef }: DownwardAPIVolumeFile): void {
  if (fieldRef) fieldRef.apiVersion ||= 'v1';
}

function defaultProjection({ downwardAPI, serviceAccountToken }: VolumeProjection): void {
  for (const file of downwardAPI?.items ?? []) defaultFile(file);
  if (serviceAccountToken) serviceAccountToken.expirationSeconds ??= TOKEN_SECONDS;
}

/** Volume sources of former in-tree plugins. */
function defaultDisk({ iscsi, rbd, azureDisk, scaleIO }: Volume): void {
  if (iscsi) iscsi.iscsiInterface ||= 'default';
  if (rbd) {
    rbd.pool ||= 'rbd';
    rbd.user ||= 'admin';
    rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (azureDisk) {
    azureDisk.cachingMode ??= 'ReadWrite';
    azureDisk.fsType ??= 'ext4';
    azureDisk.readOnly ??= false;
    azureDisk.kind ??= 'Shared';
  }
  if (scaleIO) {
    scaleIO.storageMode ||= 'ThinProvisioned';
    scaleIO.fsType ||= 'xfs';
  }
}
