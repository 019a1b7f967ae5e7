package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"
	"time"
)

const timeout = 30 * time.Second

// plan comes from the soak test.
type plan struct {
	Protocol string `json:"protocol"`
	Address  string `json:"address"`
	Upstream string `json:"upstream"`
	// Files is a directory with the files small, medium and large.
	Files string   `json:"files"`
	Hosts []string `json:"hosts"`
	// Kept is the number of connections that stay open.
	Kept int `json:"kept"`
	// IdleSeconds is the idle timeout of QUIC connections.
	IdleSeconds int `json:"idleSeconds"`
	// Rates are requests per second by kind.
	Rates map[string]float64 `json:"rates"`
}

// counts are the results so far.
type counts struct {
	Succeeded map[string]int64 `json:"succeeded"`
	Failures  map[string]int64 `json:"failures"`
	// Resumed and NotResumed count the handshakes for which the client had a session cache.
	Resumed    int64 `json:"resumed"`
	NotResumed int64 `json:"notResumed"`
	// KeptDials is the number of handshakes of the connections that stay open.
	KeptDials int64 `json:"keptDials"`
	// Certificates is the number of different certificates seen, by host.
	Certificates map[string]int `json:"certificates"`
}

// mix sends requests of several kinds, each at a steady rate, and verifies the responses.
type mix struct {
	plan     plan
	target   target
	kept     []*connection
	aborting *connection
	sessions map[string]tls.ClientSessionCache
	digests  map[string]string
	upload   []byte
	version  atomic.Int64
	next     atomic.Int64

	mutex        sync.Mutex
	counts       counts
	certificates map[string]map[string]bool
}

var changing = regexp.MustCompile(`:\d+|0x[0-9a-f]+|\b[0-9a-f]{8,}\b`)

// expected describes the response to a request.
type expected struct {
	digest string
	// text is checked instead of the digest if it is set.
	text func(body string) error
}

func newMix(p plan) *mix {
	m := &mix{
		plan:         p,
		target:       target{p.Protocol, p.Address, time.Duration(p.IdleSeconds) * time.Second},
		sessions:     map[string]tls.ClientSessionCache{},
		digests:      map[string]string{},
		upload:       make([]byte, 1<<20),
		certificates: map[string]map[string]bool{},
		counts: counts{
			Succeeded:    map[string]int64{},
			Failures:     map[string]int64{},
			Certificates: map[string]int{},
		},
	}
	_, _ = rand.Read(m.upload)
	for _, name := range []string{"small", "medium", "large"} {
		content, err := os.ReadFile(filepath.Join(p.Files, name))
		if err != nil {
			panic(err)
		}
		m.digests["/"+name] = digestOf(content)
		if name == "small" {
			m.digests["/proxied"] = digestOf(content)
			go serveUpstream(p.Upstream, content)
		}
	}
	for _, host := range p.Hosts {
		m.sessions[host] = tls.NewLRUClientSessionCache(4)
		m.certificates[host] = map[string]bool{}
	}
	for range p.Kept {
		m.kept = append(m.kept, m.target.connect(m.host(), nil))
	}
	m.aborting = m.target.connect(m.host(), nil)
	return m
}

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// host takes the hosts in turn.
func (m *mix) host() string {
	return m.plan.Hosts[m.next.Add(1)%int64(len(m.plan.Hosts))]
}

func (m *mix) anyKept() *connection {
	return m.kept[m.next.Add(1)%int64(len(m.kept))]
}

func (m *mix) short(host string, sessions tls.ClientSessionCache) *connection {
	made := m.target.connect(host, sessions)
	made.short = true
	return made
}

// perform runs one action of a kind.
func (m *mix) perform(kind string) error {
	switch kind {
	case "full":
		made := m.short(m.host(), nil)
		defer made.close()
		return m.get(made, "/small")
	case "resumed":
		host := m.host()
		made := m.short(host, m.sessions[host])
		defer made.close()
		return m.get(made, "/small")
	case "small", "medium", "large", "proxied":
		return m.get(m.anyKept(), "/"+kind)
	case "changing":
		return m.getVersion()
	case "upload":
		want := fmt.Sprintf("%s %d", digestOf(m.upload), len(m.upload))
		return m.exchange(m.anyKept(), http.MethodPost, "/digest", m.upload, expected{text: func(body string) error {
			if body != want {
				return errors.New("wrong digest of an upload")
			}
			return nil
		}})
	case "aborted":
		return m.abandon(m.aborting, nil)
	case "dropped":
		made := m.short(m.host(), nil)
		return m.abandon(made, made.drop)
	case "left":
		made := m.short(m.host(), nil)
		defer made.drop()
		return m.get(made, "/small")
	}
	return errors.New("unknown kind of request")
}

func (m *mix) get(c *connection, path string) error {
	return m.exchange(c, http.MethodGet, path, nil, expected{digest: m.digests[path]})
}

// getVersion checks that a response is not older than the responses before the request.
func (m *mix) getVersion() error {
	before := m.version.Load()
	return m.exchange(m.anyKept(), http.MethodGet, "/changing", nil, expected{text: func(body string) error {
		var version int64
		if _, err := fmt.Sscanf(body, "version %d", &version); err != nil || version < before {
			return errors.New("response from an earlier configuration")
		}
		for seen := m.version.Load(); seen < version && !m.version.CompareAndSwap(seen, version); {
			seen = m.version.Load()
		}
		return nil
	}})
}

// exchange sends a request and verifies the response.
func (m *mix) exchange(c *connection, method, path string, body []byte, want expected) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	response, err := m.send(ctx, c, method, path, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if want.text != nil {
		text, err := io.ReadAll(response.Body)
		if err != nil {
			return err
		}
		return want.text(string(text))
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, response.Body); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != want.digest {
		return errors.New("wrong body")
	}
	return nil
}

// abandon reads a random part of a large response, and then cancels the request or drops its connection.
func (m *mix) abandon(c *connection, drop func()) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	response, err := m.send(ctx, c, http.MethodGet, "/large", nil)
	if err == nil {
		_, err = io.CopyN(io.Discard, response.Body, mathrand.Int64N(1<<20))
		if drop == nil {
			cancel()
			_ = response.Body.Close()
		}
	}
	if drop != nil {
		drop()
	}
	return err
}

// send sends a request and checks everything but the body of the response.
func (m *mix) send(ctx context.Context, c *connection, method, path string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, "https://"+c.host+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	response, err := c.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if err := m.check(c, response); err != nil {
		_ = response.Body.Close()
		return nil, err
	}
	return response, nil
}

func (m *mix) check(c *connection, response *http.Response) error {
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", response.StatusCode)
	}
	if response.Proto != protoOf[m.plan.Protocol] {
		return fmt.Errorf("protocol %s", response.Proto)
	}
	if response.TLS == nil || len(response.TLS.PeerCertificates) == 0 {
		return errors.New("no certificate")
	}
	if c.short {
		return m.noteHandshake(c, response.TLS)
	}
	return nil
}

// noteHandshake counts resumed sessions, and checks the certificate of a full handshake.
func (m *mix) noteHandshake(c *connection, state *tls.ConnectionState) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if state.DidResume {
		m.counts.Resumed++
		return nil
	}
	if c.resumes {
		m.counts.NotResumed++
	}
	leaf := state.PeerCertificates[0]
	if err := leaf.VerifyHostname(c.host); err != nil {
		return err
	}
	if now := time.Now(); now.After(leaf.NotAfter) || now.Before(leaf.NotBefore) {
		return errors.New("certificate is not valid now")
	}
	m.certificates[c.host][digestOf(leaf.Raw)] = true
	return nil
}

// repeat performs actions of a kind at a steady rate, without waiting for earlier ones.
func (m *mix) repeat(ctx context.Context, kind string, rate float64, group *sync.WaitGroup) {
	defer group.Done()
	ticker := time.NewTicker(time.Duration(float64(time.Second) / rate))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		group.Add(1)
		go func() {
			defer group.Done()
			err := m.perform(kind)
			m.mutex.Lock()
			defer m.mutex.Unlock()
			if err == nil {
				m.counts.Succeeded[kind]++
			} else {
				m.counts.Failures[kind+": "+changing.ReplaceAllString(err.Error(), "")]++
			}
		}()
	}
}

func (m *mix) print() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.counts.KeptDials = 0
	for _, c := range m.kept {
		m.counts.KeptDials += c.dials.Load()
	}
	for host, seen := range m.certificates {
		m.counts.Certificates[host] = len(seen)
	}
	_ = json.NewEncoder(os.Stdout).Encode(m.counts)
}

// runMixed sends the mix until the end of stdin. It prints the counts for each line of stdin, and at the end.
func runMixed(text string) {
	var p plan
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		panic(err)
	}
	m := newMix(p)
	for _, c := range append(m.kept, m.aborting) {
		if err := m.get(c, "/small"); err != nil {
			panic(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for kind, rate := range p.Rates {
		group.Add(1)
		go m.repeat(ctx, kind, rate, &group)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		m.print()
	}
	cancel()
	group.Wait()
	m.print()
}
