package main

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// target is a server, and the protocol in which to speak to it: h1, h2 or h3.
type target struct {
	protocol string
	address  string
	// idle is the idle timeout of QUIC connections.
	idle time.Duration
}

// connection sends requests over one connection. It connects at the first request, and again if the server closes the connection.
type connection struct {
	http.RoundTripper
	host string
	// short tells that the connection serves one request. resumes tells that it may resume a session.
	short   bool
	resumes bool
	dials   atomic.Int64
	// close closes the connection as the protocol demands.
	close func()
	// drop closes the socket without a close_notify alert or a CONNECTION_CLOSE frame.
	drop func()
}

var protoOf = map[string]string{"h1": "HTTP/1.1", "h2": "HTTP/2.0", "h3": "HTTP/3.0"}

// connect prepares a connection. Without a session cache, its handshakes are full ones.
func (t target) connect(host string, sessions tls.ClientSessionCache) *connection {
	config := &tls.Config{InsecureSkipVerify: true, ServerName: host, ClientSessionCache: sessions}
	if t.protocol == "h3" {
		return t.connectQuic(host, config)
	}
	made := &connection{host: host, resumes: sessions != nil}
	var mutex sync.Mutex
	var sockets []*net.TCPConn
	transport := &http.Transport{TLSClientConfig: config, DisableCompression: true, TLSHandshakeTimeout: timeout}
	transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		made.dials.Add(1)
		socket, err := (&net.Dialer{}).DialContext(ctx, "tcp", t.address)
		if err != nil {
			return nil, err
		}
		mutex.Lock()
		sockets = append(sockets, socket.(*net.TCPConn))
		mutex.Unlock()
		return socket, nil
	}
	if t.protocol == "h1" {
		config.NextProtos = []string{"http/1.1"}
		transport.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
		transport.MaxConnsPerHost = 1
	} else {
		transport.ForceAttemptHTTP2 = true
	}
	made.RoundTripper = transport
	made.close = transport.CloseIdleConnections
	made.drop = func() {
		mutex.Lock()
		defer mutex.Unlock()
		for _, socket := range sockets {
			_ = socket.Close()
		}
	}
	return made
}

func (t target) connectQuic(host string, config *tls.Config) *connection {
	made := &connection{host: host, resumes: config.ClientSessionCache != nil}
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		panic(err)
	}
	packets := &quic.Transport{Conn: socket}
	transport := &http3.Transport{
		TLSClientConfig:    config,
		QUICConfig:         &quic.Config{MaxIdleTimeout: t.idle, HandshakeIdleTimeout: timeout},
		DisableCompression: true,
	}
	transport.Dial = func(ctx context.Context, _ string, config *tls.Config, quicConfig *quic.Config) (*quic.Conn, error) {
		made.dials.Add(1)
		address, err := net.ResolveUDPAddr("udp", t.address)
		if err != nil {
			return nil, err
		}
		return packets.DialEarly(ctx, address, config, quicConfig)
	}
	made.RoundTripper = transport
	made.close = func() {
		_ = transport.Close()
		_ = packets.Close()
		_ = socket.Close()
	}
	made.drop = func() {
		_ = socket.Close()
		_ = transport.Close()
		_ = packets.Close()
	}
	return made
}
