package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"banditsim/internal/must"
)

// TestTLS checks that a connection needs both the server's certificate authority and the right password.
func TestTLS(t *testing.T) {
	key := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	of := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der := must.Get(x509.CreateCertificate(rand.Reader, of, of, &key.PublicKey, key))(t)
	ca := must.File(t, "ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	url := serveWith(t, server.Options{
		Username: "bandit", Password: "secret",
		TLS: true, TLSConfig: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}},
	})
	address := strings.TrimPrefix(strings.TrimPrefix(url, "tls://"), "nats://")
	for _, c := range []struct{ url, ca, want string }{
		{"tls://bandit:secret@" + address, ca, ""},
		{"tls://bandit:secret@" + address, "", "certificate"},
		{"tls://bandit:wrong@" + address, ca, "Authorization Violation"},
	} {
		conn, err := (&options{url: c.url, ca: c.ca, settings: settings{limit: 5 * time.Second}}).connect(func(text string) { t.Error(text) })
		if err == nil {
			conn.Close()
		}
		if c.want == "" {
			must.OK(t, err)
		} else if must.Fail(t, err, c.want); err != nil && strings.Contains(err.Error(), "wrong") {
			t.Errorf("%s: %v", c.url, err)
		}
	}
}
