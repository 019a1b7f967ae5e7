package main

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	urls "net/url"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// A socket that keeps a copy of what it sends before it receives anything.
type recorder struct {
	net.PacketConn
	lock     sync.Mutex
	sent     [][]byte
	received bool
}

func (r *recorder) WriteTo(p []byte, to net.Addr) (int, error) {
	r.lock.Lock()
	if !r.received {
		r.sent = append(r.sent, append([]byte(nil), p...))
	}
	r.lock.Unlock()
	return r.PacketConn.WriteTo(p, to)
}

func (r *recorder) ReadFrom(p []byte) (int, net.Addr, error) {
	n, from, err := r.PacketConn.ReadFrom(p)
	r.lock.Lock()
	r.received = true
	r.lock.Unlock()
	return n, from, err
}

func (r *recorder) takeFlight() [][]byte {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.sent
}

// Makes a request on a connection, and then another one as early data of a second connection. With -count, sends the datagrams of the early
// data again as often, from other sockets.
func early(ctx context.Context, result *seen) error {
	config := settings()
	config.ClientSessionCache = tls.NewLRUClientSessionCache(10)
	parsed, err := urls.Parse(*url)
	if err != nil {
		return err
	}
	remote, err := net.ResolveUDPAddr("udp", parsed.Host)
	if err != nil {
		return err
	}
	var flight [][]byte
	for round := range 2 {
		socket, err := net.ListenUDP("udp", nil)
		if err != nil {
			return err
		}
		recording := &recorder{PacketConn: socket}
		transport := &quic.Transport{Conn: recording}
		conn, err := transport.DialEarly(ctx, remote, config, &quic.Config{})
		if err != nil {
			return err
		}
		if round == 0 {
			<-conn.HandshakeComplete()
		}
		response, err := send(ctx, (&http3.Transport{}).NewClientConn(conn))
		if err != nil {
			return err
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return err
		}
		result.Status, result.Body, result.Early = response.StatusCode, string(body), conn.ConnectionState().Used0RTT
		time.Sleep(200 * time.Millisecond)
		result.Resumed = append(result.Resumed, conn.ConnectionState().TLS.DidResume)
		flight = recording.takeFlight()
		if err := conn.CloseWithError(0x100, ""); err != nil {
			return err
		}
		_ = transport.Close()
	}
	for range *count - 1 {
		socket, err := net.DialUDP("udp", nil, remote)
		if err != nil {
			return err
		}
		for _, datagram := range flight {
			if _, err := socket.Write(datagram); err != nil {
				return err
			}
			result.Done++
		}
		time.Sleep(50 * time.Millisecond)
		_ = socket.Close()
	}
	return nil
}

func send(ctx context.Context, client *http3.ClientConn) (*http.Response, error) {
	stream, err := client.OpenRequestStream(ctx)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, *method, *url, nil)
	if err != nil {
		return nil, err
	}
	request.Host = *name
	if err := stream.SendRequestHeader(request); err != nil {
		return nil, err
	}
	if err := stream.Close(); err != nil {
		return nil, err
	}
	return stream.ReadResponse()
}
