#!/usr/bin/env bash
# Sends requests and opens streams with curl, several per connection, until the stop file exists.
set -u
expected=$(seq 0 $((LINES - 1)))
requests=0 streams=0 errors=()
for ((i = 0; ; i++)); do
  [ -e "$STOP" ] && break
  case $((i % 3)) in
    0) options=(--http1.1) base=$PLAIN ;;
    1) options=(--http2 --cacert "$CA") base=$SECURE ;;
    2) options=(--http2-prior-knowledge) base=$PLAIN ;;
  esac
  urls=()
  for _ in 1 2 3 4 5 6 7 8 9 10; do urls+=("$base/" "$base/proxied"); done
  # curl 7.88 fails the second request on a connection with prior knowledge, with any server.
  [ $((i % 3)) = 2 ] && urls=("$base/proxied")
  expected_text=$(printf 'ok%.0s' "${urls[@]/*/x}")
  if text=$(curl -sS --max-time 30 "${options[@]}" "${urls[@]}" 2>&1) && [ "$text" = "$expected_text" ]; then
    requests=$((requests + ${#urls[@]}))
  else
    errors+=("curl ${options[0]}: ${text:0:200}")
  fi
  if text=$(curl -sS --max-time 60 "${options[@]}" "$base/drip" 2>&1) && [ "$text" = "$expected" ]; then
    streams=$((streams + 1))
  else
    errors+=("curl ${options[0]} stream: ${text:0:200}")
  fi
done
list=$(printf '%s\n' "${errors[@]+"${errors[@]}"}" | sed '/^$/d; s/["\\]/ /g; s/.*/"&"/' | paste -sd, -)
echo "{\"requests\":$requests,\"streams\":$streams,\"websockets\":0,\"errors\":[$list]}"
