# Stays behind the release: nobody but the next installation deletes it.
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-before
  annotations:
    helm.sh/hook: pre-install
    helm.sh/hook-weight: "-5"
    helm.sh/hook-delete-policy: before-hook-creation
data:
  step: before
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-upgraded
  annotations:
    helm.sh/hook: post-upgrade,post-rollback
    helm.sh/hook-delete-policy: before-hook-creation
data:
  revision: {{ .Release.Revision | quote }}
---
# Of a kind that nobody has to run: it is there, so the test is over.
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-test
  annotations:
    helm.sh/hook: test
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
data:
  checked: "yes"
