// Sends requests and opens streams and WebSockets with net/http (HTTP/1.1, HTTP/2 and h2c) until the stop file exists.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/net/http2"
)

var (
	mutex  sync.Mutex
	result = struct {
		Requests   int      `json:"requests"`
		Streams    int      `json:"streams"`
		WebSockets int      `json:"websockets"`
		Errors     []string `json:"errors"`
	}{Errors: []string{}}
)

func count(counter *int) { mutex.Lock(); *counter++; mutex.Unlock() }

func failed(format string, arguments ...any) {
	mutex.Lock()
	result.Errors = append(result.Errors, fmt.Sprintf(format, arguments...))
	mutex.Unlock()
}

func going() bool { _, err := os.Stat(os.Getenv("STOP")); return err != nil }

func expectedStream() string {
	lines, _ := strconv.Atoi(os.Getenv("LINES"))
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, "%d\n", i)
	}
	return text.String()
}

func fetch(client *http.Client, method, url, body, expected string) error {
	request, _ := http.NewRequest(method, url, strings.NewReader(body))
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != 200 || string(text) != expected {
		return fmt.Errorf("status %d, %d bytes", response.StatusCode, len(text))
	}
	return nil
}

func requests(name string, client *http.Client, base string) {
	var group sync.WaitGroup
	loop := func(method, path, body, expected string, counter *int, pause time.Duration) {
		group.Go(func() {
			for going() {
				if err := fetch(client, method, base+path, body, expected); err != nil {
					failed("%s %s %s: %v", name, method, path, err)
				} else {
					count(counter)
				}
				time.Sleep(pause)
			}
		})
	}
	long := strings.Repeat("x", 5000)
	loop("GET", "/", "", "ok", &result.Requests, 5*time.Millisecond)
	loop("GET", "/proxied", "", "ok", &result.Requests, 5*time.Millisecond)
	loop("POST", "/echo", long, long, &result.Requests, 5*time.Millisecond)
	loop("GET", "/drip", "", expectedStream(), &result.Streams, 0)
	group.Wait()
}

func sockets(name string, client *http.Client, url string) {
	for going() {
		socket, _, err := websocket.Dial(context.Background(), url, &websocket.DialOptions{HTTPClient: client})
		if err != nil {
			failed("%s WebSocket: %v", name, err)
			time.Sleep(10 * time.Millisecond)
			continue
		}
		for going() {
			err = socket.Write(context.Background(), websocket.MessageText, []byte("hello"))
			if err == nil {
				_, _, err = socket.Read(context.Background())
			}
			if err != nil {
				// If a write fails, the close frame may still be unread.
				if websocket.CloseStatus(err) == -1 {
					_, _, err = socket.Read(context.Background())
				}
				var closed websocket.CloseError
				if !errors.As(err, &closed) {
					failed("%s WebSocket without a close frame: %v", name, err)
				}
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		socket.CloseNow()
		count(&result.WebSockets)
	}
}

func main() {
	plain, secure := os.Getenv("PLAIN"), os.Getenv("SECURE")
	pem, _ := os.ReadFile(os.Getenv("CA"))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	config := func() *tls.Config { return &tls.Config{RootCAs: roots} }
	http1 := &http.Client{Transport: &http.Transport{TLSClientConfig: config()}}
	secure2 := &http.Client{Transport: &http.Transport{TLSClientConfig: config(), ForceAttemptHTTP2: true}}
	cleartext2 := &http.Client{Transport: &http2.Transport{AllowHTTP: true,
		DialTLSContext: func(ctx context.Context, network, address string, _ *tls.Config) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		}}}
	var group sync.WaitGroup
	group.Go(func() { requests("Go HTTP/1.1", http1, plain) })
	group.Go(func() { requests("Go HTTP/2", secure2, secure) })
	group.Go(func() { requests("Go h2c", cleartext2, plain) })
	group.Go(func() { sockets("Go ws", http1, plain+"/ws") })
	group.Go(func() { sockets("Go wss", http1, secure+"/ws") })
	group.Wait()
	json.NewEncoder(os.Stdout).Encode(result)
}
