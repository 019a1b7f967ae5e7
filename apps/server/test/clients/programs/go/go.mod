module clients

go 1.24.0

require (
	github.com/coder/websocket v1.8.13
	golang.org/x/net v0.44.0
)

require golang.org/x/text v0.29.0 // indirect
