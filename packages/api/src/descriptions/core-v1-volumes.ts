const readOnly = 'Whether all mounts of the volume are read-only. Default: false.';
const fsType = 'The file system, such as ext4 or xfs. Default: ext4.';
const partition = 'The number of the partition to mount. Default: 0, the whole disk.';
const accessModes = 'ReadWriteOnce, ReadOnlyMany, ReadWriteMany or, on its own, ReadWriteOncePod.';
const defaultMode =
  'Permission bits of files that have none of their own, up to 0777. Default: 0644.';
const keys = 'Which keys become files, and where. Default: all, in files named as they are.';
const optional = 'Whether pods start even if the object or one of its keys is missing.';
const relativePath = 'The file to write, relative to the volume and without "..".';

// Types of volumes that nodes no longer mount by themselves.
const awsDisk =
  'A disk of AWS Elastic Block Store. Deprecated: the CSI driver ebs.csi.aws.com serves it.';
const azureDisk = 'A disk of Azure. Deprecated: the CSI driver disk.csi.azure.com serves it.';
const azureFile =
  'A share of Azure Files. Deprecated: the CSI driver file.csi.azure.com serves it.';
const cinder =
  'A volume of OpenStack Cinder. Deprecated: the CSI driver cinder.csi.openstack.org serves it.';
const gceDisk =
  'A disk of Google Compute Engine. Deprecated: the CSI driver pd.csi.storage.gke.io serves it.';
const portworx = 'A volume of Portworx. Deprecated: the CSI driver pxd.portworx.com serves it.';
const vsphere = 'A disk of vSphere. Deprecated: the CSI driver csi.vsphere.vmware.com serves it.';
const flexVolume =
  'A volume that a program installed on the nodes mounts. Deprecated: use a CSI driver.';
const gitRepo =
  'A clone of a git repository. Deprecated: nodes refuse it; clone in an init container instead.';
const cephfs = 'A file system of Ceph. Deprecated: nodes no longer support this type.';
const flocker = 'A dataset of Flocker. Deprecated: nodes no longer support this type.';
const glusterfs = 'A volume of GlusterFS. Deprecated: nodes no longer support this type.';
const photon = 'A disk of Photon Controller. Deprecated: nodes no longer support this type.';
const quobyte = 'A volume of Quobyte. Deprecated: nodes no longer support this type.';
const rbd = 'A block device of Ceph. Deprecated: nodes no longer support this type.';
const scaleIO = 'A volume of ScaleIO. Deprecated: nodes no longer support this type.';
const storageOS = 'A volume of StorageOS. Deprecated: nodes no longer support this type.';

/** Words for `kubectl explain` of volumes, by type and by field. */
export const volumeDescriptions = (): Readonly<Record<string, string>> => ({
  PersistentVolumeClaim: 'A request for storage, which is bound to a persistent volume.',
  'PersistentVolumeClaim.spec': 'The storage that is wanted. Most of it cannot be changed.',
  'PersistentVolumeClaim.status': 'The storage that there is. Controllers write it.',
  PersistentVolumeClaimSpec: 'The storage that is wanted.',
  'PersistentVolumeClaimSpec.accessModes': accessModes,
  'PersistentVolumeClaimSpec.selector':
    'Labels that the volume must have. With a selector, none is provisioned dynamically.',
  'PersistentVolumeClaimSpec.resources':
    'How much is wanted. The request can grow later if the storage class allows expansion.',
  'PersistentVolumeClaimSpec.volumeName':
    'The persistent volume that is bound. Set it to ask for a certain one.',
  'PersistentVolumeClaimSpec.storageClassName':
    'The storage class. Default: that of the cluster; the empty string asks for a volume without.',
  'PersistentVolumeClaimSpec.volumeMode':
    'Filesystem, or Block for a raw device. Default: Filesystem.',
  'PersistentVolumeClaimSpec.dataSource':
    'A VolumeSnapshot or claim of the same namespace, to fill the new volume with.',
  'PersistentVolumeClaimSpec.dataSourceRef':
    'What to fill the new volume with: a claim, or an object that a volume populator knows.',
  'PersistentVolumeClaimSpec.volumeAttributesClassName':
    'The VolumeAttributesClass of the volume, such as its speed. It can be changed.',
  PersistentVolumeClaimStatus: 'The storage that a claim has got.',
  'PersistentVolumeClaimStatus.phase': 'Pending, Bound, or Lost when its volume is gone.',
  'PersistentVolumeClaimStatus.accessModes': 'The access modes that the bound volume has.',
  'PersistentVolumeClaimStatus.capacity': 'The size that the volume has.',
  'PersistentVolumeClaimStatus.conditions': 'What is going on, such as an expansion.',
  'PersistentVolumeClaimStatus.allocatedResources':
    'The size that an expansion leads to; quotas count it if it is more than the request.',
  'PersistentVolumeClaimStatus.allocatedResourceStatuses':
    'How far the expansion of each resource is, such as NodeResizePending. Left out when there is none.',
  'PersistentVolumeClaimStatus.currentVolumeAttributesClassName':
    'The VolumeAttributesClass that the volume has now.',
  'PersistentVolumeClaimStatus.modifyVolumeStatus':
    'How far the change to another VolumeAttributesClass is. Left out when there is none.',
  VolumeResourceRequirements: 'How much storage is wanted.',
  'VolumeResourceRequirements.limits': 'The most that the volume should have, by resource.',
  'VolumeResourceRequirements.requests':
    'The least that the volume must have, by resource. A claim must request storage.',
  TypedLocalObjectReference: 'Names an object of any kind in the same namespace.',
  'TypedLocalObjectReference.apiGroup': 'The API group of the object. Left out for core kinds.',
  'TypedLocalObjectReference.kind': 'The kind of the object.',
  'TypedLocalObjectReference.name': 'The name of the object.',
  TypedObjectReference: 'Names an object of any kind, perhaps in another namespace.',
  'TypedObjectReference.apiGroup': 'The API group of the object. Left out for core kinds.',
  'TypedObjectReference.kind': 'The kind of the object.',
  'TypedObjectReference.name': 'The name of the object.',
  'TypedObjectReference.namespace':
    'Its namespace, which must allow it with a ReferenceGrant. Default: the same namespace. Alpha.',
  PersistentVolumeClaimCondition: 'One observation about a claim.',
  'PersistentVolumeClaimCondition.type':
    'What was observed, such as Resizing, FileSystemResizePending or ModifyVolumeError.',
  'PersistentVolumeClaimCondition.status': 'Whether it holds: True, False or Unknown.',
  'PersistentVolumeClaimCondition.lastProbeTime': 'When it was last checked.',
  'PersistentVolumeClaimCondition.lastTransitionTime': 'When the status last became another.',
  'PersistentVolumeClaimCondition.reason': 'Why, as one word for programs.',
  'PersistentVolumeClaimCondition.message': 'Why, as a sentence for people.',
  ModifyVolumeStatus: 'How far the change to another VolumeAttributesClass is.',
  'ModifyVolumeStatus.targetVolumeAttributesClassName': 'The class that is being applied.',
  'ModifyVolumeStatus.status':
    'Pending while something is missing, InProgress, or Infeasible if the driver refuses it.',

  Volume: 'A directory or device for the containers of a pod. It has exactly one source.',
  'Volume.name': 'The name by which containers mount it: a DNS label, unique in the pod.',
  // The fields of a volume are declared by the struct that it embeds.
  'VolumeSource.hostPath': 'A file or directory of the node. Few pods should need one.',
  'VolumeSource.emptyDir':
    'A directory that starts empty and goes with the pod. It is what a volume without source is.',
  'VolumeSource.gcePersistentDisk': gceDisk,
  'VolumeSource.awsElasticBlockStore': awsDisk,
  'VolumeSource.gitRepo': gitRepo,
  'VolumeSource.secret': 'The data of a secret, as files in memory.',
  'VolumeSource.nfs': 'A directory of an NFS server.',
  'VolumeSource.iscsi': 'A disk of an iSCSI target.',
  'VolumeSource.glusterfs': glusterfs,
  'VolumeSource.persistentVolumeClaim': 'The volume of a claim in the namespace of the pod.',
  'VolumeSource.rbd': rbd,
  'VolumeSource.flexVolume': flexVolume,
  'VolumeSource.cinder': cinder,
  'VolumeSource.cephfs': cephfs,
  'VolumeSource.flocker': flocker,
  'VolumeSource.downwardAPI': 'Facts about the pod, as files.',
  'VolumeSource.fc': 'A disk reached over Fibre Channel.',
  'VolumeSource.azureFile': azureFile,
  'VolumeSource.configMap': 'The data of a ConfigMap, as files.',
  'VolumeSource.vsphereVolume': vsphere,
  'VolumeSource.quobyte': quobyte,
  'VolumeSource.azureDisk': azureDisk,
  'VolumeSource.photonPersistentDisk': photon,
  'VolumeSource.projected':
    'One directory for several sources: secrets, ConfigMaps, tokens, facts about the pod.',
  'VolumeSource.portworxVolume': portworx,
  'VolumeSource.scaleIO': scaleIO,
  'VolumeSource.storageos': storageOS,
  'VolumeSource.csi': 'Storage that a CSI driver makes for the pod alone. It goes with the pod.',
  'VolumeSource.ephemeral': 'A claim that is made for the pod alone and goes with it.',
  'VolumeSource.image':
    'The content of a container image or OCI artifact. It is mounted read-only.',
  HostPathVolumeSource: 'A file or directory of the node. Pods on other nodes see others.',
  'HostPathVolumeSource.path': 'The path on the node, without "..". Symbolic links are followed.',
  'HostPathVolumeSource.type':
    'What must be there: DirectoryOrCreate, Directory, FileOrCreate, File, Socket, CharDevice or BlockDevice. Default: no check.',
  EmptyDirVolumeSource: 'A directory that starts empty and goes with the pod.',
  'EmptyDirVolumeSource.medium':
    'Memory, HugePages or HugePages-<size>. Default: the disk of the node.',
  'EmptyDirVolumeSource.sizeLimit':
    'The most that it may hold; pods with more are evicted. Default: no limit.',
  GCEPersistentDiskVolumeSource: gceDisk,
  'GCEPersistentDiskVolumeSource.pdName': 'The name of the disk.',
  'GCEPersistentDiskVolumeSource.fsType': fsType,
  'GCEPersistentDiskVolumeSource.partition': partition,
  'GCEPersistentDiskVolumeSource.readOnly': readOnly,
  AWSElasticBlockStoreVolumeSource: awsDisk,
  'AWSElasticBlockStoreVolumeSource.volumeID': 'The id of the disk.',
  'AWSElasticBlockStoreVolumeSource.fsType': fsType,
  'AWSElasticBlockStoreVolumeSource.partition': partition,
  'AWSElasticBlockStoreVolumeSource.readOnly': readOnly,
  GitRepoVolumeSource: gitRepo,
  'GitRepoVolumeSource.repository': 'The URL of the repository.',
  'GitRepoVolumeSource.revision': 'The commit to check out.',
  'GitRepoVolumeSource.directory':
    'Where in the volume to clone to, without "..". A dot stands for the volume itself.',
  SecretVolumeSource: 'The data of a secret, as files in memory. Changes reach running pods.',
  'SecretVolumeSource.secretName': 'The name of the secret, in the namespace of the pod.',
  'SecretVolumeSource.items': keys,
  'SecretVolumeSource.defaultMode': defaultMode,
  'SecretVolumeSource.optional': optional,
  NFSVolumeSource: 'A directory of an NFS server, which keeps its content when the pod goes.',
  'NFSVolumeSource.server': 'The name or address of the server.',
  'NFSVolumeSource.path': 'The absolute path that the server exports.',
  'NFSVolumeSource.readOnly': readOnly,
  ISCSIVolumeSource: 'A disk of an iSCSI target.',
  'ISCSIVolumeSource.targetPortal':
    'The address of the target, with a port if it is not the usual one (3260).',
  'ISCSIVolumeSource.iqn': 'The qualified name of the target.',
  'ISCSIVolumeSource.lun': 'The number of the logical unit, 0 to 255.',
  'ISCSIVolumeSource.iscsiInterface':
    'The iSCSI interface of the node to use. Default: default, which is TCP.',
  'ISCSIVolumeSource.fsType': fsType,
  'ISCSIVolumeSource.readOnly': readOnly,
  'ISCSIVolumeSource.portals': 'More addresses of the same target, for multipath.',
  'ISCSIVolumeSource.chapAuthDiscovery': 'Whether to authenticate with CHAP for discovery.',
  'ISCSIVolumeSource.chapAuthSession': 'Whether to authenticate with CHAP for the session.',
  'ISCSIVolumeSource.secretRef': 'The secret with the names and passwords for CHAP.',
  'ISCSIVolumeSource.initiatorName':
    'The name by which the node presents itself, on an interface of its own for the volume.',
  GlusterfsVolumeSource: glusterfs,
  'GlusterfsVolumeSource.endpoints': 'The Endpoints object with the addresses of the servers.',
  'GlusterfsVolumeSource.path': 'The name of the volume.',
  'GlusterfsVolumeSource.readOnly': readOnly,
  PersistentVolumeClaimVolumeSource: 'The volume of a claim in the namespace of the pod.',
  'PersistentVolumeClaimVolumeSource.claimName': 'The name of the claim.',
  'PersistentVolumeClaimVolumeSource.readOnly': readOnly,
  RBDVolumeSource: rbd,
  'RBDVolumeSource.monitors': 'Addresses of the Ceph monitors.',
  'RBDVolumeSource.image': 'The name of the image.',
  'RBDVolumeSource.fsType': fsType,
  'RBDVolumeSource.pool': 'The pool that holds the image. Default: rbd.',
  'RBDVolumeSource.user': 'The Ceph user. Default: admin.',
  'RBDVolumeSource.keyring':
    'The file on the node with the key of the user. Default: /etc/ceph/keyring.',
  'RBDVolumeSource.secretRef': 'The secret with the key of the user, in place of the keyring.',
  'RBDVolumeSource.readOnly': readOnly,
  FlexVolumeSource: flexVolume,
  'FlexVolumeSource.driver': 'The name of the driver, such as example.com/driver.',
  'FlexVolumeSource.fsType': 'The file system, such as ext4. The driver decides on the default.',
  'FlexVolumeSource.secretRef': 'The secret whose data is given to the driver.',
  'FlexVolumeSource.readOnly': readOnly,
  'FlexVolumeSource.options': 'More options for the driver.',
  CinderVolumeSource: cinder,
  'CinderVolumeSource.volumeID': 'The id of the volume.',
  'CinderVolumeSource.fsType': fsType,
  'CinderVolumeSource.readOnly': readOnly,
  'CinderVolumeSource.secretRef': 'The secret with the parameters to reach OpenStack.',
  CephFSVolumeSource: cephfs,
  'CephFSVolumeSource.monitors': 'Addresses of the Ceph monitors.',
  'CephFSVolumeSource.path': 'The directory of the file system to mount. Default: /.',
  'CephFSVolumeSource.user': 'The Ceph user. Default: admin.',
  'CephFSVolumeSource.secretFile':
    'The file on the node with the key of the user. Default: /etc/ceph/user.secret.',
  'CephFSVolumeSource.secretRef': 'The secret with the key of the user, in place of the file.',
  'CephFSVolumeSource.readOnly': readOnly,
  FlockerVolumeSource: flocker,
  'FlockerVolumeSource.datasetName': 'The name of the dataset. The UUID is preferred.',
  'FlockerVolumeSource.datasetUUID': 'The UUID of the dataset.',
  DownwardAPIVolumeSource: 'Facts about the pod, as files.',
  'DownwardAPIVolumeSource.items': 'The files.',
  'DownwardAPIVolumeSource.defaultMode': defaultMode,
  FCVolumeSource: 'A disk reached over Fibre Channel, named by targetWWNs and lun or by wwids.',
  'FCVolumeSource.targetWWNs': 'World wide names of the targets. They need a lun.',
  'FCVolumeSource.lun': 'The number of the logical unit, 0 to 255.',
  'FCVolumeSource.fsType': fsType,
  'FCVolumeSource.readOnly': readOnly,
  'FCVolumeSource.wwids': 'World wide identifiers of the disk, in place of targetWWNs and lun.',
  AzureFileVolumeSource: azureFile,
  'AzureFileVolumeSource.secretName':
    'The secret with the name and the key of the storage account.',
  'AzureFileVolumeSource.shareName': 'The name of the share.',
  'AzureFileVolumeSource.readOnly': readOnly,
  ConfigMapVolumeSource: 'The data of a ConfigMap, as files. Changes reach running pods.',
  'ConfigMapVolumeSource.items': keys,
  'ConfigMapVolumeSource.defaultMode': defaultMode,
  'ConfigMapVolumeSource.optional': optional,
  VsphereVirtualDiskVolumeSource: vsphere,
  'VsphereVirtualDiskVolumeSource.volumePath':
    'The path of the disk: [datastore] folder/name.vmdk.',
  'VsphereVirtualDiskVolumeSource.fsType': fsType,
  'VsphereVirtualDiskVolumeSource.storagePolicyName': 'The name of its storage policy.',
  'VsphereVirtualDiskVolumeSource.storagePolicyID': 'The id of its storage policy.',
  QuobyteVolumeSource: quobyte,
  'QuobyteVolumeSource.registry': 'Registry services as host:port, with commas between them.',
  'QuobyteVolumeSource.volume': 'The name of the volume.',
  'QuobyteVolumeSource.readOnly': readOnly,
  'QuobyteVolumeSource.user': 'The user as whom files are accessed.',
  'QuobyteVolumeSource.group': 'The group as which files are accessed. Default: none.',
  'QuobyteVolumeSource.tenant': 'The tenant that owns the volume.',
  AzureDiskVolumeSource: azureDisk,
  'AzureDiskVolumeSource.diskName': 'The name of the disk.',
  'AzureDiskVolumeSource.diskURI':
    'The disk: /subscriptions/… for a Managed one, https://… for a blob.',
  'AzureDiskVolumeSource.cachingMode':
    'How the host caches it: None, ReadOnly or ReadWrite. Default: ReadWrite.',
  'AzureDiskVolumeSource.fsType': fsType,
  'AzureDiskVolumeSource.readOnly': readOnly,
  'AzureDiskVolumeSource.kind':
    'Managed, or for blobs Shared or Dedicated: with others in a storage account, or alone. Default: Shared.',
  PhotonPersistentDiskVolumeSource: photon,
  'PhotonPersistentDiskVolumeSource.pdID': 'The id of the disk.',
  'PhotonPersistentDiskVolumeSource.fsType': fsType,
  ProjectedVolumeSource: 'One directory for several sources.',
  'ProjectedVolumeSource.sources': 'What is in it. No two files may have the same path.',
  'ProjectedVolumeSource.defaultMode': defaultMode,
  PortworxVolumeSource: portworx,
  'PortworxVolumeSource.volumeID': 'The id of the volume.',
  'PortworxVolumeSource.fsType': fsType,
  'PortworxVolumeSource.readOnly': readOnly,
  ScaleIOVolumeSource: scaleIO,
  'ScaleIOVolumeSource.gateway': 'The address of the API gateway.',
  'ScaleIOVolumeSource.system': 'The name of the storage system.',
  'ScaleIOVolumeSource.secretRef': 'The secret with user and password for the gateway.',
  'ScaleIOVolumeSource.sslEnabled': 'Whether the gateway is reached with TLS. Default: false.',
  'ScaleIOVolumeSource.protectionDomain': 'The protection domain of the storage.',
  'ScaleIOVolumeSource.storagePool': 'The storage pool within the protection domain.',
  'ScaleIOVolumeSource.storageMode':
    'ThickProvisioned or ThinProvisioned. Default: ThinProvisioned.',
  'ScaleIOVolumeSource.volumeName': 'The name of the volume, which must exist.',
  'ScaleIOVolumeSource.fsType': 'The file system, such as ext4 or xfs. Default: xfs.',
  'ScaleIOVolumeSource.readOnly': readOnly,
  StorageOSVolumeSource: storageOS,
  'StorageOSVolumeSource.volumeName': 'The name of the volume within its namespace.',
  'StorageOSVolumeSource.volumeNamespace':
    'The namespace in StorageOS. Default: the namespace of the pod.',
  'StorageOSVolumeSource.fsType': fsType,
  'StorageOSVolumeSource.readOnly': readOnly,
  'StorageOSVolumeSource.secretRef': 'The secret with which StorageOS is reached.',
  CSIVolumeSource: 'Storage that a CSI driver makes for the pod alone. It goes with the pod.',
  'CSIVolumeSource.driver': 'The name of the CSI driver, which must allow ephemeral volumes.',
  'CSIVolumeSource.readOnly': readOnly,
  'CSIVolumeSource.fsType': 'The file system, such as ext4. The driver decides on the default.',
  'CSIVolumeSource.volumeAttributes': 'Parameters for the driver, which says what they mean.',
  'CSIVolumeSource.nodePublishSecretRef':
    'The secret that the driver gets for mounting, in the namespace of the pod.',
  EphemeralVolumeSource: 'A claim that is made for the pod alone and goes with it.',
  'EphemeralVolumeSource.volumeClaimTemplate':
    'The claim to make. It is called <pod>-<volume>. It cannot be changed.',
  ImageVolumeSource: 'The content of a container image or OCI artifact, mounted read-only.',
  'ImageVolumeSource.reference': 'The image or artifact, named as images of containers are.',
  'ImageVolumeSource.pullPolicy':
    'Always, Never or IfNotPresent. Default: Always for the tag latest, otherwise IfNotPresent.',
  KeyToPath: 'A key that becomes a file.',
  'KeyToPath.key': 'The key.',
  'KeyToPath.path': relativePath,
  'KeyToPath.mode': 'Permission bits of the file, up to 0777. Default: those of the volume.',
  DownwardAPIVolumeFile: 'A file with a fact about the pod: a field of it, or a resource.',
  'DownwardAPIVolumeFile.path': relativePath,
  'DownwardAPIVolumeFile.fieldRef':
    'A field of the pod: its labels, annotations, name, namespace or uid.',
  'DownwardAPIVolumeFile.resourceFieldRef':
    'A request or limit of a container: CPU, memory, ephemeral storage or huge pages.',
  'DownwardAPIVolumeFile.mode':
    'Permission bits of the file, up to 0777. Default: those of the volume.',
  VolumeProjection: 'One source of a projected volume. Exactly one field must be set.',
  'VolumeProjection.secret': 'The data of a secret.',
  'VolumeProjection.downwardAPI': 'Facts about the pod.',
  'VolumeProjection.configMap': 'The data of a ConfigMap.',
  'VolumeProjection.serviceAccountToken':
    'A token of the service account of the pod, which is renewed in time.',
  'VolumeProjection.clusterTrustBundle':
    'Root certificates of ClusterTrustBundles, as a PEM file that is kept up to date. Beta.',
  'VolumeProjection.podCertificate':
    'A private key and its certificate for the pod, which are renewed in time. Beta.',
  PersistentVolumeClaimTemplate: 'The claim that is made for an ephemeral volume.',
  'PersistentVolumeClaimTemplate.metadata': 'Labels and annotations of the claim.',
  'PersistentVolumeClaimTemplate.spec': 'The storage that is wanted, as in any claim.',
  SecretProjection: 'The data of a secret, as files of a projected volume.',
  'SecretProjection.items': keys,
  'SecretProjection.optional': optional,
  DownwardAPIProjection: 'Facts about the pod, as files of a projected volume.',
  'DownwardAPIProjection.items': 'The files.',
  ConfigMapProjection: 'The data of a ConfigMap, as files of a projected volume.',
  'ConfigMapProjection.items': keys,
  'ConfigMapProjection.optional': optional,
  ServiceAccountTokenProjection: 'A token of the service account of the pod, as a file.',
  'ServiceAccountTokenProjection.audience':
    'For whom the token is. Default: the API server; others must refuse it.',
  'ServiceAccountTokenProjection.expirationSeconds':
    'How long a token is valid, at least 600. Default: 3600. It is renewed before that.',
  'ServiceAccountTokenProjection.path': relativePath,
  ClusterTrustBundleProjection:
    'Root certificates of ClusterTrustBundles, chosen by name or by signer.',
  'ClusterTrustBundleProjection.name': 'The one bundle to take, in place of signerName.',
  'ClusterTrustBundleProjection.signerName':
    'Take the bundles of this signer that labelSelector matches, without duplicates.',
  'ClusterTrustBundleProjection.labelSelector':
    'Which bundles of the signer: none when left out, all when empty.',
  'ClusterTrustBundleProjection.optional': 'Whether pods start even if there is no such bundle.',
  'ClusterTrustBundleProjection.path': relativePath,
  PodCertificateProjection:
    'A private key that the node makes for the pod, and a certificate for it from a signer.',
  'PodCertificateProjection.signerName': 'The signer that is asked for the certificate.',
  'PodCertificateProjection.keyType':
    'The kind of key: RSA3072, RSA4096, ECDSAP256, ECDSAP384, ECDSAP521 or ED25519.',
  'PodCertificateProjection.maxExpirationSeconds':
    'The longest validity: 3600 to 7862400, for kubernetes.io signers to 86400. Default: 86400.',
  'PodCertificateProjection.credentialBundlePath':
    'The file for key and certificates together, as PEM. Preferred, because they always match.',
  'PodCertificateProjection.keyPath': 'The file for the key alone, as PEM.',
  'PodCertificateProjection.certificateChainPath':
    'The file for the certificates alone, as PEM. The key may be of another moment.',
  'PodCertificateProjection.userAnnotations':
    'What else the signer is told; its makers say what it knows. Keys need a domain as prefix.',
  ImageVolumeStatus: 'What an image volume was mounted from.',
  'ImageVolumeStatus.imageRef': 'The digest of the image, at most 256 characters.',

  PersistentVolume: 'Storage of the cluster that a claim can be bound to.',
  'PersistentVolume.spec': 'What the storage is, and for whom.',
  'PersistentVolume.status': 'Whether it is in use. Controllers write it.',
  PersistentVolumeSpec: 'What the storage is, and for whom. It has exactly one source.',
  'PersistentVolumeSpec.capacity': 'Its size, as storage. No other resource is allowed.',
  // These are declared by the struct that the spec embeds.
  'PersistentVolumeSource.gcePersistentDisk': gceDisk,
  'PersistentVolumeSource.awsElasticBlockStore': awsDisk,
  'PersistentVolumeSource.hostPath':
    'A directory of a node. It is for tests on a single node; use local elsewhere.',
  'PersistentVolumeSource.glusterfs': glusterfs,
  'PersistentVolumeSource.nfs': 'A directory of an NFS server.',
  'PersistentVolumeSource.rbd': rbd,
  'PersistentVolumeSource.iscsi': 'A disk of an iSCSI target.',
  'PersistentVolumeSource.cinder': cinder,
  'PersistentVolumeSource.cephfs': cephfs,
  'PersistentVolumeSource.fc': 'A disk reached over Fibre Channel.',
  'PersistentVolumeSource.flocker': flocker,
  'PersistentVolumeSource.flexVolume': flexVolume,
  'PersistentVolumeSource.azureFile': azureFile,
  'PersistentVolumeSource.vsphereVolume': vsphere,
  'PersistentVolumeSource.quobyte': quobyte,
  'PersistentVolumeSource.azureDisk': azureDisk,
  'PersistentVolumeSource.photonPersistentDisk': photon,
  'PersistentVolumeSource.portworxVolume': portworx,
  'PersistentVolumeSource.scaleIO': scaleIO,
  'PersistentVolumeSource.local': 'A directory or disk of a node. It needs a node affinity.',
  'PersistentVolumeSource.storageos': storageOS,
  'PersistentVolumeSource.csi': 'Storage that a CSI driver attaches and mounts.',
  'PersistentVolumeSpec.accessModes': accessModes,
  'PersistentVolumeSpec.claimRef':
    'The claim that it is bound to. Set it to keep the volume for a certain claim.',
  'PersistentVolumeSpec.persistentVolumeReclaimPolicy':
    'What becomes of it without its claim: Retain, Delete or Recycle (deprecated). Default: Retain.',
  'PersistentVolumeSpec.storageClassName':
    'Its storage class. Without one, only claims that ask for none are bound to it.',
  'PersistentVolumeSpec.mountOptions':
    'Options for mounting, such as ro. They are not checked; wrong ones make mounts fail.',
  'PersistentVolumeSpec.volumeMode': 'Filesystem, or Block for a raw device. Default: Filesystem.',
  'PersistentVolumeSpec.nodeAffinity':
    'The nodes that reach it. Pods that use it run only there. It cannot be changed once set.',
  'PersistentVolumeSpec.volumeAttributesClassName':
    'Its VolumeAttributesClass, which the claim chooses. Only claims of the same are bound to it.',
  PersistentVolumeStatus: 'Whether the volume is in use.',
  'PersistentVolumeStatus.phase':
    'Pending, Available, Bound, Released when its claim is gone, or Failed.',
  'PersistentVolumeStatus.message': 'Why it is in its phase, as a sentence for people.',
  'PersistentVolumeStatus.reason': 'Why it failed, as one word for programs.',
  'PersistentVolumeStatus.lastPhaseTransitionTime': 'When the phase last became another.',
  GlusterfsPersistentVolumeSource: glusterfs,
  'GlusterfsPersistentVolumeSource.endpoints':
    'The Endpoints object with the addresses of the servers.',
  'GlusterfsPersistentVolumeSource.path': 'The name of the volume.',
  'GlusterfsPersistentVolumeSource.readOnly': readOnly,
  'GlusterfsPersistentVolumeSource.endpointsNamespace':
    'The namespace of the Endpoints object. Default: that of the claim.',
  RBDPersistentVolumeSource: rbd,
  'RBDPersistentVolumeSource.monitors': 'Addresses of the Ceph monitors.',
  'RBDPersistentVolumeSource.image': 'The name of the image.',
  'RBDPersistentVolumeSource.fsType': fsType,
  'RBDPersistentVolumeSource.pool': 'The pool that holds the image. Default: rbd.',
  'RBDPersistentVolumeSource.user': 'The Ceph user. Default: admin.',
  'RBDPersistentVolumeSource.keyring':
    'The file on the node with the key of the user. Default: /etc/ceph/keyring.',
  'RBDPersistentVolumeSource.secretRef':
    'The secret with the key of the user, in place of the keyring.',
  'RBDPersistentVolumeSource.readOnly': readOnly,
  ISCSIPersistentVolumeSource: 'A disk of an iSCSI target.',
  'ISCSIPersistentVolumeSource.targetPortal':
    'The address of the target, with a port if it is not the usual one (3260).',
  'ISCSIPersistentVolumeSource.iqn': 'The qualified name of the target.',
  'ISCSIPersistentVolumeSource.lun': 'The number of the logical unit, 0 to 255.',
  'ISCSIPersistentVolumeSource.iscsiInterface':
    'The iSCSI interface of the node to use. Default: default, which is TCP.',
  'ISCSIPersistentVolumeSource.fsType': fsType,
  'ISCSIPersistentVolumeSource.readOnly': readOnly,
  'ISCSIPersistentVolumeSource.portals': 'More addresses of the same target, for multipath.',
  'ISCSIPersistentVolumeSource.chapAuthDiscovery':
    'Whether to authenticate with CHAP for discovery.',
  'ISCSIPersistentVolumeSource.chapAuthSession':
    'Whether to authenticate with CHAP for the session.',
  'ISCSIPersistentVolumeSource.secretRef': 'The secret with the names and passwords for CHAP.',
  'ISCSIPersistentVolumeSource.initiatorName':
    'The name by which the node presents itself, on an interface of its own for the volume.',
  CinderPersistentVolumeSource: cinder,
  'CinderPersistentVolumeSource.volumeID': 'The id of the volume.',
  'CinderPersistentVolumeSource.fsType': fsType,
  'CinderPersistentVolumeSource.readOnly': readOnly,
  'CinderPersistentVolumeSource.secretRef': 'The secret with the parameters to reach OpenStack.',
  CephFSPersistentVolumeSource: cephfs,
  'CephFSPersistentVolumeSource.monitors': 'Addresses of the Ceph monitors.',
  'CephFSPersistentVolumeSource.path': 'The directory of the file system to mount. Default: /.',
  'CephFSPersistentVolumeSource.user': 'The Ceph user. Default: admin.',
  'CephFSPersistentVolumeSource.secretFile':
    'The file on the node with the key of the user. Default: /etc/ceph/user.secret.',
  'CephFSPersistentVolumeSource.secretRef':
    'The secret with the key of the user, in place of the file.',
  'CephFSPersistentVolumeSource.readOnly': readOnly,
  FlexPersistentVolumeSource: flexVolume,
  'FlexPersistentVolumeSource.driver': 'The name of the driver, such as example.com/driver.',
  'FlexPersistentVolumeSource.fsType':
    'The file system, such as ext4. The driver decides on the default.',
  'FlexPersistentVolumeSource.secretRef': 'The secret whose data is given to the driver.',
  'FlexPersistentVolumeSource.readOnly': readOnly,
  'FlexPersistentVolumeSource.options': 'More options for the driver.',
  AzureFilePersistentVolumeSource: azureFile,
  'AzureFilePersistentVolumeSource.secretName':
    'The secret with the name and the key of the storage account.',
  'AzureFilePersistentVolumeSource.shareName': 'The name of the share.',
  'AzureFilePersistentVolumeSource.readOnly': readOnly,
  'AzureFilePersistentVolumeSource.secretNamespace':
    'The namespace of the secret. Default: that of the pod.',
  ScaleIOPersistentVolumeSource: scaleIO,
  'ScaleIOPersistentVolumeSource.gateway': 'The address of the API gateway.',
  'ScaleIOPersistentVolumeSource.system': 'The name of the storage system.',
  'ScaleIOPersistentVolumeSource.secretRef': 'The secret with user and password for the gateway.',
  'ScaleIOPersistentVolumeSource.sslEnabled':
    'Whether the gateway is reached with TLS. Default: false.',
  'ScaleIOPersistentVolumeSource.protectionDomain': 'The protection domain of the storage.',
  'ScaleIOPersistentVolumeSource.storagePool': 'The storage pool within the protection domain.',
  'ScaleIOPersistentVolumeSource.storageMode':
    'ThickProvisioned or ThinProvisioned. Default: ThinProvisioned.',
  'ScaleIOPersistentVolumeSource.volumeName': 'The name of the volume, which must exist.',
  'ScaleIOPersistentVolumeSource.fsType': 'The file system, such as ext4 or xfs. Default: xfs.',
  'ScaleIOPersistentVolumeSource.readOnly': readOnly,
  LocalVolumeSource: 'A directory or disk of a node. The volume needs a node affinity.',
  'LocalVolumeSource.path': 'The full path on the node: a directory or a block device.',
  'LocalVolumeSource.fsType':
    'The file system, if the path is a block device. Default: one is selected.',
  StorageOSPersistentVolumeSource: storageOS,
  'StorageOSPersistentVolumeSource.volumeName': 'The name of the volume within its namespace.',
  'StorageOSPersistentVolumeSource.volumeNamespace':
    'The namespace in StorageOS. Default: the namespace of the pod.',
  'StorageOSPersistentVolumeSource.fsType': fsType,
  'StorageOSPersistentVolumeSource.readOnly': readOnly,
  'StorageOSPersistentVolumeSource.secretRef': 'The secret with which StorageOS is reached.',
  CSIPersistentVolumeSource: 'Storage that a CSI driver attaches and mounts.',
  'CSIPersistentVolumeSource.driver': 'The name of the CSI driver.',
  'CSIPersistentVolumeSource.volumeHandle': 'The name by which the driver knows the volume.',
  'CSIPersistentVolumeSource.readOnly': 'Whether the volume is attached read-only. Default: false.',
  'CSIPersistentVolumeSource.fsType':
    'The file system, such as ext4. The driver decides on the default.',
  'CSIPersistentVolumeSource.volumeAttributes':
    'What the driver has noted of the volume and gets with each call.',
  'CSIPersistentVolumeSource.controllerPublishSecretRef':
    'The secret that the driver gets to attach the volume to a node, and to detach it.',
  'CSIPersistentVolumeSource.nodeStageSecretRef':
    'The secret that the driver gets to mount the volume on a node, once for all its pods.',
  'CSIPersistentVolumeSource.nodePublishSecretRef':
    'The secret that the driver gets to mount the volume for one pod.',
  'CSIPersistentVolumeSource.controllerExpandSecretRef':
    'The secret that the driver gets to expand the volume in the storage system.',
  'CSIPersistentVolumeSource.nodeExpandSecretRef':
    'The secret that the driver gets to expand the volume on a node.',
  VolumeNodeAffinity: 'The nodes that reach a volume.',
  'VolumeNodeAffinity.required': 'What nodes must match to reach the volume.',
  SecretReference: 'Names a secret of any namespace.',
  'SecretReference.name': 'The name of the secret.',
  'SecretReference.namespace': 'The namespace of the secret.',
  'PersistentVolumeClaimStatus.healthStatus': 'The health of the volume behind the claim.',
  VolumeHealthStatus: 'The health of a volume.',
  'VolumeHealthStatus.healthConditions': 'The problems of the volume. An empty list means none.',
  'VolumeHealthStatus.lastTransitionTime': 'When the health last changed.',
  VolumeHealthCondition: 'One problem of a volume.',
  'VolumeHealthCondition.status': 'The kind of problem: DataLoss, Degraded or Inaccessible.',
  'VolumeHealthCondition.reason': 'A short word for the cause, for programs.',
  'VolumeHealthCondition.message': 'The cause, for people.',
  PodVolumeHealth: 'The health of one volume of a pod.',
  'PodVolumeHealth.name': 'The name of the volume in the pod.',
  'PodVolumeHealth.healthConditions': 'The problems of the volume. An empty list means none.',
  'PodVolumeHealth.lastTransitionTime': 'When the health last changed.',
  'EmptyDirVolumeSource.mode': 'Permission bits of the directory.',
  'SecretVolumeSource.defaultUser': 'The user id that owns the files, where an item names none.',
  'DownwardAPIVolumeSource.defaultUser':
    'The user id that owns the files, where an item names none.',
  'ConfigMapVolumeSource.defaultUser': 'The user id that owns the files, where an item names none.',
  'ProjectedVolumeSource.defaultUser': 'The user id that owns the files, where an item names none.',
  'KeyToPath.user': 'The user id that owns the file.',
  'DownwardAPIVolumeFile.user': 'The user id that owns the file.',
  'ServiceAccountTokenProjection.user': 'The user id that owns the file.',
  'ClusterTrustBundleProjection.user': 'The user id that owns the file.',
  'PodCertificateProjection.user': 'The user id that owns the file.',
});
