// HTTP/3 client based on quic-go, for the trials in this directory. It runs one case and prints the result as JSON.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

type seen struct {
	Proto    string   `json:"proto,omitempty"`
	Status   int      `json:"status,omitempty"`
	Body     string   `json:"body,omitempty"`
	Bytes    int64    `json:"bytes,omitempty"`
	Digest   string   `json:"digest,omitempty"`
	Resumed  []bool   `json:"resumed,omitempty"`
	Early    bool     `json:"early,omitempty"`
	Names    []string `json:"names,omitempty"`
	Done     int      `json:"done,omitempty"`
	Seconds  float64  `json:"seconds,omitempty"`
	Error    string   `json:"error,omitempty"`
	ALPN     string   `json:"alpn,omitempty"`
	OCSP     int      `json:"ocsp,omitempty"`
	Versions string   `json:"version,omitempty"`
}

var (
	url    = flag.String("url", "", "address of the resource")
	name   = flag.String("name", "localhost", "server name")
	kase   = flag.String("case", "get", "get, upload, many, resume, early, migrate, version2, serve")
	method = flag.String("method", "GET", "method of the request as early data")
	count  = flag.Int("count", 1, "requests")
	size   = flag.Int64("size", 0, "bytes of an upload")
	cert   = flag.String("cert", "", "client certificate")
	key    = flag.String("key", "", "its key")
	root   = flag.String("root", "", "directory to serve")
	addr   = flag.String("addr", "127.0.0.1:0", "address to serve at")
)

func main() {
	flag.Parse()
	result := &seen{}
	if err := play(result); err != nil {
		result.Error = err.Error()
		var application *quic.ApplicationError
		var transport *quic.TransportError
		if errors.As(err, &application) {
			result.Error = fmt.Sprintf("application %#x", uint64(application.ErrorCode))
		} else if errors.As(err, &transport) {
			result.Error = fmt.Sprintf("transport %#x", uint64(transport.ErrorCode))
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(result)
}

func settings() *tls.Config {
	config := &tls.Config{InsecureSkipVerify: true, ServerName: *name, NextProtos: []string{"h3"}}
	if *cert != "" {
		pair, err := tls.LoadX509KeyPair(*cert, *key)
		if err != nil {
			panic(err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config
}

func play(result *seen) error {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	start := time.Now()
	defer func() { result.Seconds = time.Since(start).Seconds() }()
	switch *kase {
	case "serve":
		return serve()
	case "resume":
		return resume(ctx, result)
	case "early":
		return early(ctx, result)
	case "migrate":
		return migrate(ctx, result)
	}
	config := &quic.Config{}
	if *kase == "version2" {
		config.Versions = []quic.Version{quic.Version2}
	}
	transport := &http3.Transport{TLSClientConfig: settings(), QUICConfig: config}
	defer transport.Close()
	if *kase == "many" {
		return many(ctx, transport, result)
	}
	return one(ctx, transport, result)
}

func one(ctx context.Context, transport http.RoundTripper, result *seen) error {
	method, body := http.MethodGet, io.Reader(nil)
	if *kase == "upload" {
		method, body = http.MethodPost, io.LimitReader(zeros{}, *size)
	}
	request, err := http.NewRequestWithContext(ctx, method, *url, body)
	if err != nil {
		return err
	}
	request.Host = *name
	response, err := transport.RoundTrip(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	result.Proto, result.Status = response.Proto, response.StatusCode
	if response.TLS != nil {
		result.ALPN, result.OCSP = response.TLS.NegotiatedProtocol, len(response.TLS.OCSPResponse)
		for _, each := range response.TLS.PeerCertificates[:1] {
			result.Names = each.DNSNames
		}
	}
	digest := sha256.New()
	var text bytes.Buffer
	result.Bytes, err = io.Copy(io.MultiWriter(digest, &limited{&text}), response.Body)
	result.Digest, result.Body = hex.EncodeToString(digest.Sum(nil)), text.String()
	return err
}

func many(ctx context.Context, transport *http3.Transport, result *seen) error {
	var group sync.WaitGroup
	var lock sync.Mutex
	var failure error
	for range *count {
		group.Go(func() {
			part := &seen{}
			err := one(ctx, transport, part)
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				failure = err
			} else if part.Status == 200 {
				result.Done++
				result.Bytes += part.Bytes
			}
		})
	}
	group.Wait()
	return failure
}

func resume(ctx context.Context, result *seen) error {
	config := settings()
	config.ClientSessionCache = tls.NewLRUClientSessionCache(10)
	for range 2 {
		transport := &http3.Transport{TLSClientConfig: config, QUICConfig: &quic.Config{TokenStore: quic.NewLRUTokenStore(1, 1)}}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, *url, nil)
		if err != nil {
			return err
		}
		request.Host = *name
		response, err := transport.RoundTrip(request)
		if err != nil {
			return err
		}
		result.Status = response.StatusCode
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return err
		}
		result.Body = string(body)
		result.Resumed = append(result.Resumed, response.TLS.DidResume)
		time.Sleep(200 * time.Millisecond)
		if err := transport.Close(); err != nil {
			return err
		}
	}
	return nil
}

// Migrates the connection to a new socket.
func migrate(ctx context.Context, result *seen) error {
	transport := &http3.Transport{TLSClientConfig: settings()}
	var conn *quic.Conn
	transport.Dial = func(ctx context.Context, address string, config *tls.Config, more *quic.Config) (*quic.Conn, error) {
		remote, err := net.ResolveUDPAddr("udp", address)
		if err != nil {
			return nil, err
		}
		socket, err := net.ListenUDP("udp", nil)
		if err != nil {
			return nil, err
		}
		conn, err = (&quic.Transport{Conn: socket}).Dial(ctx, remote, config, more)
		return conn, err
	}
	defer transport.Close()
	if err := one(ctx, transport, result); err != nil {
		return err
	}
	var before *quic.Path
	for range *count {
		socket, err := net.ListenUDP("udp", nil)
		if err != nil {
			return err
		}
		path, err := conn.AddPath(&quic.Transport{Conn: socket})
		if err != nil {
			return err
		}
		if err := path.Probe(ctx); err != nil {
			return fmt.Errorf("probe: %w", err)
		}
		if err := path.Switch(); err != nil {
			return fmt.Errorf("switch: %w", err)
		}
		if before != nil {
			if err := before.Close(); err != nil {
				return fmt.Errorf("close: %w", err)
			}
		}
		before = path
		if err := one(ctx, transport, result); err != nil {
			return err
		}
		result.Done++
	}
	return nil
}

// Serves a directory until standard input ends, for comparison.
func serve() error {
	socket, err := net.ListenPacket("udp", *addr)
	if err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(*cert, *key)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/files/", http.StripPrefix("/files/", http.FileServer(http.Dir(*root))))
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%s %s", r.Proto, r.URL.Path) })
	server := &http3.Server{Handler: mux, TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}}}
	fmt.Println(socket.LocalAddr().String())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return server.Serve(socket)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

type limited struct{ text *bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if room := 1000 - l.text.Len(); room > 0 {
		l.text.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
