apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "lantern.labels" . | nindent 4 }}
automountServiceAccountToken: false
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "lantern.labels" . | nindent 4 }}
rules:
  - apiGroups: [""]
    resources: [configmaps]
    verbs: [get, list, watch]
  - apiGroups: [wardle.example.com]
    resources: [flunders]
    verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "lantern.labels" . | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ .Release.Name }}
subjects:
  - kind: ServiceAccount
    name: {{ .Release.Name }}
    namespace: {{ .Release.Namespace }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "lantern.labels" . | nindent 4 }}
spec:
  paused: {{ .Values.paused }}
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: {{- include "lantern.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "lantern.selector" . | nindent 8 }}
      annotations:
        settings: {{ .Values.colour | sha256sum }}
    spec:
      serviceAccountName: {{ .Release.Name }}
      containers:
        - name: lantern
          image: registry.example.com/lantern:{{ .Chart.AppVersion }}
          args: [--colour, {{ .Values.colour | quote }}]
          ports:
            - name: http
              containerPort: 8080
          envFrom:
            - secretRef:
                name: {{ .Release.Name }}-password
