// Generates HTTP/3 load with quic-go and prints the results as JSON.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"os"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

var (
	url         = flag.String("url", "", "URL of the resource")
	connections = flag.Int("connections", 1, "number of connections")
	streams     = flag.Int("streams", 1, "concurrent requests per connection")
	seconds     = flag.Float64("seconds", 1, "duration")
	handshakes  = flag.Bool("handshakes", false, "open a connection for each request")
	idle        = flag.Bool("idle", false, "send one request on each connection, and keep the connections open until stdin ends")
	mixed       = flag.String("mixed", "", "JSON plan of a soak test, which sends requests of several kinds until stdin ends")
)

type result struct {
	Responded int64   `json:"responded"`
	Failed    int64   `json:"failed"`
	Seconds   float64 `json:"seconds"`
	P99       float64 `json:"p99"`
}

type load struct {
	failed atomic.Int64
	mutex  sync.Mutex
	times  []float64
}

func newTransport() *http3.Transport {
	return &http3.Transport{
		TLSClientConfig:    &tls.Config{InsecureSkipVerify: true},
		QUICConfig:         &quic.Config{MaxIdleTimeout: 5 * time.Minute, KeepAlivePeriod: time.Minute},
		DisableCompression: true,
	}
}

// once sends one request and reads the response.
func once(transport *http3.Transport) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	request, _ := http.NewRequestWithContext(ctx, http.MethodGet, *url, nil)
	response, err := transport.RoundTrip(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return false
	}
	return response.StatusCode < 400
}

// repeat sends requests one after another until the end. Without a transport, each request has a connection of its own.
func (l *load) repeat(transport *http3.Transport, end time.Time) {
	var times []float64
	for {
		begun := time.Now()
		if begun.After(end) {
			break
		}
		used := transport
		if used == nil {
			used = newTransport()
		}
		if once(used) {
			times = append(times, float64(time.Since(begun).Microseconds())/1000)
		} else {
			l.failed.Add(1)
		}
		if transport == nil {
			_ = used.Close()
		}
	}
	l.mutex.Lock()
	l.times = append(l.times, times...)
	l.mutex.Unlock()
}

func main() {
	flag.Parse()
	if *mixed != "" {
		runMixed(*mixed)
		return
	}
	l := &load{}
	var group sync.WaitGroup
	if *idle {
		for range *connections {
			if !once(newTransport()) {
				l.failed.Add(1)
			}
		}
		_ = json.NewEncoder(os.Stdout).Encode(result{Responded: int64(*connections) - l.failed.Load(), Failed: l.failed.Load()})
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	begun := time.Now()
	end := begun.Add(time.Duration(*seconds * float64(time.Second)))
	for range *connections {
		var transport *http3.Transport
		if !*handshakes {
			transport = newTransport()
		}
		for range *streams {
			group.Add(1)
			go func() {
				defer group.Done()
				l.repeat(transport, end)
			}()
		}
	}
	group.Wait()
	sort.Float64s(l.times)
	out := result{Responded: int64(len(l.times)), Failed: l.failed.Load(), Seconds: time.Since(begun).Seconds()}
	if len(l.times) > 0 {
		out.P99 = l.times[len(l.times)*99/100]
	}
	_ = json.NewEncoder(os.Stdout).Encode(out)
}
