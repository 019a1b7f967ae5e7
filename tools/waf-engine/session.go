package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"sync"

	"github.com/corazawaf/coraza/v3"
	"github.com/corazawaf/coraza/v3/types"
)

// Frames from the server: length of the rest, transaction, kind, payload. Integers are little-endian.
const (
	requestHead     = 1 // starts a transaction
	requestBody     = 2 // a piece of the body
	requestEnd      = 3
	responseHead    = 4
	responseBody    = 5
	responseEnd     = 6
	transactionOver = 7 // has no reply
)

// Verdicts to the server: length of the rest, transaction, JSON.
type verdict struct {
	// Body is true if the body must be inspected, and after a piece of the body, if another piece is needed.
	Body   bool   `json:"body,omitempty"`
	Action string `json:"action,omitempty"`
	Status int    `json:"status,omitempty"`
	Rule   int    `json:"rule,omitempty"`
	Phase  int    `json:"phase,omitempty"`
	Data   string `json:"data,omitempty"`
	Error  string `json:"error,omitempty"`
}

const maxFrame = 1 << 24

var errFrame = errors.New("invalid frame")

// transaction is one request. The lock prevents the end of the request from closing it during an inspection.
type transaction struct {
	sync.Mutex
	types.Transaction
	request requestFrame
	closed  bool
}

// session is the connection of one worker thread.
type session struct {
	waf        coraza.WAF
	connection net.Conn
	writing    sync.Mutex
	entries    sync.Mutex
	open       map[uint32]*transaction
}

func newSession(waf coraza.WAF, connection net.Conn) *session {
	return &session{waf: waf, connection: connection, open: map[uint32]*transaction{}}
}

func (s *session) run() {
	reader := bufio.NewReaderSize(s.connection, 1<<16)
	head := make([]byte, 9)
	for {
		if _, err := io.ReadFull(reader, head); err != nil {
			break
		}
		length := binary.LittleEndian.Uint32(head)
		if length < 5 || length > maxFrame {
			break
		}
		id, kind := binary.LittleEndian.Uint32(head[4:]), head[8]
		payload := make([]byte, length-5)
		if _, err := io.ReadFull(reader, payload); err != nil {
			break
		}
		if kind == requestHead {
			var request requestFrame
			var err error
			if request.fields, err = decodeHead(payload, &request); err != nil {
				break
			}
			s.entries.Lock()
			s.open[id] = &transaction{Transaction: s.waf.NewTransactionWithID(request.ID), request: request}
			s.entries.Unlock()
		}
		s.entries.Lock()
		tx := s.open[id]
		if kind == transactionOver {
			delete(s.open, id)
		}
		s.entries.Unlock()
		if tx != nil {
			go s.handle(tx, id, kind, payload)
		}
	}
	_ = s.connection.Close()
	s.entries.Lock()
	defer s.entries.Unlock()
	for _, tx := range s.open {
		go tx.end()
	}
}

func (t *transaction) end() {
	t.Lock()
	defer t.Unlock()
	if t.closed {
		return
	}
	t.closed = true
	t.ProcessLogging()
	_ = t.Close()
}

func (s *session) handle(tx *transaction, id uint32, kind byte, payload []byte) {
	if kind == transactionOver {
		tx.end()
		return
	}
	tx.Lock()
	defer tx.Unlock()
	if tx.closed {
		return
	}
	result, err := tx.inspect(kind, payload)
	if err != nil {
		result = verdict{Error: err.Error()}
	}
	if result.Action != "" {
		result.Phase = tx.phaseOf(result.Rule)
	}
	text, _ := json.Marshal(result)
	frame := make([]byte, 8, 8+len(text))
	binary.LittleEndian.PutUint32(frame, uint32(4+len(text)))
	binary.LittleEndian.PutUint32(frame[4:], id)
	s.writing.Lock()
	defer s.writing.Unlock()
	_, _ = s.connection.Write(append(frame, text...))
}

func (t *transaction) inspect(kind byte, payload []byte) (verdict, error) {
	if t.IsRuleEngineOff() {
		return verdict{}, nil
	}
	switch kind {
	case requestHead:
		return t.inspectRequest()
	case requestBody:
		interruption, written, err := t.WriteRequestBody(payload)
		return verdictOf(interruption, written == len(payload)), err
	case requestEnd:
		interruption, err := t.ProcessRequestBody()
		return verdictOf(interruption, false), err
	case responseHead:
		return t.inspectResponse(payload)
	case responseBody:
		interruption, written, err := t.WriteResponseBody(payload)
		return verdictOf(interruption, written == len(payload)), err
	case responseEnd:
		interruption, err := t.ProcessResponseBody()
		return verdictOf(interruption, false), err
	}
	return verdict{}, errFrame
}

func verdictOf(interruption *types.Interruption, body bool) verdict {
	if interruption == nil {
		return verdict{Body: body}
	}
	return verdict{Action: interruption.Action, Status: interruption.Status, Rule: interruption.RuleID, Data: interruption.Data}
}

// phaseOf returns the phase of a rule that matched, or 0.
func (t *transaction) phaseOf(rule int) int {
	for _, match := range t.MatchedRules() {
		if match.Rule().ID() == rule {
			return int(match.Rule().Phase())
		}
	}
	return 0
}

type requestFrame struct {
	ID         string `json:"id"`
	Client     string `json:"client"`
	ClientPort int    `json:"client_port"`
	Server     string `json:"server"`
	ServerPort int    `json:"server_port"`
	Method     string `json:"method"`
	Proto      string `json:"proto"`
	HasBody    bool   `json:"has_body"`
	// fields begins with the host and the URI.
	fields [][2]string
}

func (t *transaction) inspectRequest() (verdict, error) {
	request := t.request
	if len(request.fields) == 0 {
		return verdict{}, errFrame
	}
	host, uri := request.fields[0][0], request.fields[0][1]
	t.ProcessConnection(request.Client, request.ClientPort, request.Server, request.ServerPort)
	t.ProcessURI(uri, request.Method, request.Proto)
	if host != "" {
		t.AddRequestHeader("Host", host)
		t.SetServerName(host)
	}
	for _, field := range request.fields[1:] {
		t.AddRequestHeader(field[0], field[1])
	}
	if interruption := t.ProcessRequestHeaders(); interruption != nil {
		return verdictOf(interruption, false), nil
	}
	if request.HasBody && t.IsRequestBodyAccessible() {
		return verdict{Body: true}, nil
	}
	interruption, err := t.ProcessRequestBody()
	return verdictOf(interruption, false), err
}

type responseFrame struct {
	Status int    `json:"status"`
	Proto  string `json:"proto"`
	// HasBody is false for bodies that are never buffered, such as event streams.
	HasBody bool `json:"has_body"`
}

func (t *transaction) inspectResponse(payload []byte) (verdict, error) {
	var response responseFrame
	fields, err := decodeHead(payload, &response)
	if err != nil {
		return verdict{}, err
	}
	for _, field := range fields {
		t.AddResponseHeader(field[0], field[1])
	}
	if interruption := t.ProcessResponseHeaders(response.Status, response.Proto); interruption != nil {
		return verdictOf(interruption, false), nil
	}
	if response.HasBody && t.IsResponseBodyAccessible() && t.IsResponseBodyProcessable() {
		return verdict{Body: true}, nil
	}
	interruption, err := t.ProcessResponseBody()
	return verdictOf(interruption, false), err
}

// decodeHead reads the facts of a head, and returns its fields with the bytes of the message, which need not be UTF-8.
func decodeHead(payload []byte, facts any) ([][2]string, error) {
	next := func() ([]byte, error) {
		if len(payload) < 4 {
			return nil, errFrame
		}
		length := int(binary.LittleEndian.Uint32(payload))
		if length > len(payload)-4 {
			return nil, errFrame
		}
		part := payload[4 : 4+length]
		payload = payload[4+length:]
		return part, nil
	}
	text, err := next()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, facts); err != nil {
		return nil, err
	}
	var fields [][2]string
	for len(payload) > 0 {
		name, err := next()
		if err != nil {
			return nil, err
		}
		value, err := next()
		if err != nil {
			return nil, err
		}
		fields = append(fields, [2]string{string(name), string(value)})
	}
	return fields, nil
}
