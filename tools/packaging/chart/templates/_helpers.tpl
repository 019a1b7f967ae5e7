{{- define "sluice.name" -}}
{{- if contains "sluice" .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-sluice" (.Release.Name | trunc 45 | trimSuffix "-") }}{{ end }}
{{- end }}

{{- define "sluice.selector" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sluice.labels" -}}
{{ include "sluice.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "sluice.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "sluice.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- /* Configuration of the server as JSON. */ -}}
{{- define "sluice.config" -}}
{{- $sources := dict }}
{{- if .Values.gateway.enabled }}
{{- $_ := set $sources "kubernetes" (mergeOverwrite (dict "provider" "kubernetes") (deepCopy .Values.gateway.options)) }}
{{- end }}
{{- if .Values.ingress.enabled }}
{{- $ingress := dict "provider" "ingress" }}
{{- if and .Values.service.enabled (not .Values.ingress.options.status_addresses) }}
{{- $_ := set $ingress "status_service" (printf "%s/%s" .Release.Namespace (include "sluice.name" .)) }}
{{- end }}
{{- $_ := set $sources "ingress" (mergeOverwrite $ingress (deepCopy .Values.ingress.options)) }}
{{- end }}
{{- /* The admin API listens on the loopback address only. */ -}}
{{- $admin := dict "handler" "reverse_proxy"
  "upstreams" (list (dict "dial" "localhost:2019"))
  "headers" (dict "request" (dict "set" (dict "Host" (list "localhost:2019")))) }}
{{- $health := dict
  "listen" (list (printf ":%v" .Values.healthPort))
  "automatic_https" (dict "disable" true)
  "routes" (list
    (dict "match" (list (dict "path" (list "/healthz"))) "handle" (list (dict "handler" "static_response" "status_code" 200)))
    (dict "match" (list (dict "path" (list "/ready") "method" (list "GET"))) "handle" (list $admin))
    (dict "match" (list (dict "path" (list "/metrics"))) "handle" (list (dict "handler" "metrics")))) }}
{{- $http := dict
  "shutdown_delay" (printf "%vs" .Values.shutdownDelaySeconds)
  "grace_period" (printf "%vs" .Values.gracePeriodSeconds)
  "metrics" (dict)
  "servers" (dict "health" $health) }}
{{- $apps := dict "http" $http }}
{{- if $sources }}{{ $_ := set $apps "providers" (dict "sources" $sources) }}{{ end }}
{{- mergeOverwrite (dict "admin" (dict "listen" "localhost:2019") "apps" $apps) (deepCopy .Values.config) | toPrettyJson }}
{{- end }}

{{- /* Pods of the Deployment or DaemonSet. */ -}}
{{- define "sluice.pod" -}}
metadata:
  labels:
    {{- include "sluice.selector" . | nindent 4 }}
    {{- with .Values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  annotations:
    # A new configuration restarts the pods one after the other.
    checksum/config: {{ include "sluice.config" . | sha256sum }}
    {{- with .Values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  serviceAccountName: {{ include "sluice.serviceAccount" . }}
  automountServiceAccountToken: {{ or .Values.gateway.enabled .Values.ingress.enabled }}
  # The grace period includes five seconds for the process to exit.
  terminationGracePeriodSeconds: {{ add .Values.shutdownDelaySeconds .Values.gracePeriodSeconds 5 }}
  {{- if .Values.hostNetwork }}
  hostNetwork: true
  dnsPolicy: ClusterFirstWithHostNet
  {{- end }}
  securityContext:
    {{- if .Values.hostNetwork }}
    runAsUser: 0
    {{- else }}
    runAsNonRoot: true
    runAsUser: 65532
    sysctls:
      # Allow all users to bind ports 80 and 443.
      - { name: net.ipv4.ip_unprivileged_port_start, value: '0' }
    {{- end }}
    runAsGroup: 65532
    fsGroup: 65532
    seccompProfile: { type: RuntimeDefault }
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.topologySpreadConstraints }}
  topologySpreadConstraints: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: sluice
      image: {{ if .Values.image.digest }}{{ printf "%s@%s" .Values.image.repository .Values.image.digest | quote }}{{ else }}{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}{{ end }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [run, --config, /etc/sluice/sluice.json, --workers, {{ .Values.workers | quote }}]
      {{- with .Values.env }}
      env: {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        {{- range .Values.ports }}
        - name: {{ .name }}
          containerPort: {{ .port }}
          protocol: {{ .protocol | default "TCP" }}
          {{- if $.Values.hostPort }}
          hostPort: {{ .port }}
          {{- end }}
        {{- end }}
        - { name: health, containerPort: {{ .Values.healthPort }}, protocol: TCP }
      startupProbe:
        httpGet: { path: /healthz, port: health }
        periodSeconds: 1
        failureThreshold: 60
      # The pod is ready when the routes for the objects of the cluster are active.
      readinessProbe:
        httpGet: { path: {{ .Values.readinessPath }}, port: health }
        periodSeconds: 5
      livenessProbe:
        httpGet: { path: /healthz, port: health }
        periodSeconds: 10
        failureThreshold: 3
        timeoutSeconds: 5
      {{- with .Values.resources }}
      resources: {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
          {{- if .Values.hostNetwork }}
          add: [NET_BIND_SERVICE]
          {{- end }}
      volumeMounts:
        - { name: configuration, mountPath: /etc/sluice, readOnly: true }
        - { name: data, mountPath: /data }
        - { name: saved, mountPath: /config }
        - { name: temporary, mountPath: /tmp }
  volumes:
    - name: configuration
      configMap: { name: {{ include "sluice.name" . }} }
    - name: data
      {{- toYaml .Values.dataVolume | nindent 6 }}
    - name: saved
      emptyDir: {}
    - name: temporary
      emptyDir: {}
{{- end }}
