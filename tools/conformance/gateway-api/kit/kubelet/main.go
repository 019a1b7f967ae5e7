// A small kubelet for conformance runs. It assigns an address and a network namespace on a bridge to every
// Pod, starts a program instead of its image, sets the Pod ready, and serves its logs. It doesn't support
// images, cgroups, probes and exec.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

var (
	kubeconfig = flag.String("kubeconfig", os.Getenv("KUBECONFIG"), "kubeconfig file")
	node       = flag.String("node", "node-1", "name of the Node to register")
	addr       = flag.String("addr", "10.77.0.1", "address of the Node and of the bridge")
	port       = flag.Int("port", 10250, "port of the log server")
	first      = flag.String("first-pod", "10.77.128.1", "first pod address")
	bridge     = flag.String("bridge", "br0", "bridge that pods attach to")
	root       = flag.String("root", "pods", "folder for pod files")
	images     = flag.String("images", "", "image=binary,… without registry and tag (static binaries)")
	certFile   = flag.String("tls-cert", "", "serving certificate")
	keyFile    = flag.String("tls-key", "", "serving key")
)

type line struct {
	at   time.Time
	text string
}

type pod struct {
	cancel context.CancelFunc
	ip     net.IP
	n      int
	mu     sync.Mutex
	lines  map[string][]line
}

type kubelet struct {
	cs   kubernetes.Interface
	mu   sync.Mutex
	pods map[types.UID]*pod // by UID
	logs map[string]*pod    // by namespace/name
	next int
	free []int
}

func main() {
	flag.Parse()
	cfg, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err)
	cfg.QPS, cfg.Burst = 200, 400
	cfg.ContentType = "application/vnd.kubernetes.protobuf"
	k := &kubelet{cs: kubernetes.NewForConfigOrDie(cfg), pods: map[types.UID]*pod{}, logs: map[string]*pod{}}
	ctx := context.Background()
	k.registerNode(ctx)
	go k.serveLogs()
	inf := informers.NewSharedInformerFactory(k.cs, 0)
	_, err = inf.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { k.sync(ctx, o.(*v1.Pod)) },
		UpdateFunc: func(_, o any) { k.sync(ctx, o.(*v1.Pod)) },
		DeleteFunc: func(o any) {
			if d, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = d.Obj
			}
			k.stop(o.(*v1.Pod))
		},
	})
	check(err)
	inf.Start(ctx.Done())
	select {}
}

func (k *kubelet) registerNode(ctx context.Context) {
	n := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: *node, Labels: map[string]string{"kubernetes.io/hostname": *node}}}
	n.Status.Addresses = []v1.NodeAddress{{Type: v1.NodeInternalIP, Address: *addr}}
	n.Status.DaemonEndpoints.KubeletEndpoint.Port = int32(*port)
	n.Status.Conditions = []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue, Reason: "KubeletReady",
		LastHeartbeatTime: metav1.Now(), LastTransitionTime: metav1.Now()}}
	_, err := k.cs.CoreV1().Nodes().Create(ctx, n, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		check(err)
	}
}

// sync brings one Pod to the state its object asks for. It never blocks on the process.
func (k *kubelet) sync(ctx context.Context, p *v1.Pod) {
	if p.DeletionTimestamp != nil {
		k.stop(p)
		go func() {
			zero := int64(0)
			_ = k.cs.CoreV1().Pods(p.Namespace).Delete(ctx, p.Name, metav1.DeleteOptions{
				GracePeriodSeconds: &zero, Preconditions: &metav1.Preconditions{UID: &p.UID}})
		}()
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pods[p.UID] != nil {
		return
	}
	n := k.next
	if len(k.free) > 0 {
		n, k.free = k.free[0], k.free[1:]
	} else {
		k.next++
	}
	ip := net.ParseIP(*first).To4()
	v := uint32(ip[0])<<24 + uint32(ip[1])<<16 + uint32(ip[2])<<8 + uint32(ip[3]) + uint32(n)
	run, cancel := context.WithCancel(ctx)
	q := &pod{cancel: cancel, n: n, ip: net.IPv4(byte(v>>24), byte(v>>16), byte(v>>8), byte(v)), lines: map[string][]line{}}
	k.pods[p.UID], k.logs[p.Namespace+"/"+p.Name] = q, q
	go k.run(run, p.DeepCopy(), q)
}

func (k *kubelet) stop(p *v1.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if q := k.pods[p.UID]; q != nil {
		q.cancel()
		delete(k.pods, p.UID)
		k.free = append(k.free, q.n) // reused last, so an address rests for a while
		if k.logs[p.Namespace+"/"+p.Name] == q {
			delete(k.logs, p.Namespace+"/"+p.Name)
		}
	}
}

func (k *kubelet) run(ctx context.Context, p *v1.Pod, q *pod) {
	if p.Spec.NodeName == "" { // no scheduler: bind it ourselves
		b := &v1.Binding{ObjectMeta: metav1.ObjectMeta{Name: p.Name, Namespace: p.Namespace, UID: p.UID},
			Target: v1.ObjectReference{Kind: "Node", Name: *node}}
		if err := k.cs.CoreV1().Pods(p.Namespace).Bind(ctx, b, metav1.CreateOptions{}); err != nil {
			log.Printf("bind %s/%s: %v", p.Namespace, p.Name, err)
		}
	}
	dir := filepath.Join(*root, string(p.UID))
	defer os.RemoveAll(dir)
	for restarts := 0; ctx.Err() == nil; restarts++ {
		err := k.once(ctx, p, q, dir, restarts)
		if ctx.Err() != nil {
			return
		}
		log.Printf("%s/%s: %v", p.Namespace, p.Name, err)
		k.status(ctx, p, q, restarts+1, false)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// hardwareAddr derives the address of an interface from its IP address, so that neighbor caches stay valid if a Pod reuses the IP address.
func hardwareAddr(ip net.IP) string {
	v4 := ip.To4()
	return fmt.Sprintf("0a:58:%02x:%02x:%02x:%02x", v4[0], v4[1], v4[2], v4[3])
}

// once runs the pod's containers until the first of them ends. They share one network namespace.
func (k *kubelet) once(ctx context.Context, p *v1.Pod, q *pod, dir string, restarts int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pause := exec.CommandContext(ctx, "/bin/sleep", "infinity") // holds the network namespace
	pause.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if err := pause.Start(); err != nil {
		return err
	}
	defer func() { _ = pause.Wait() }()
	defer cancel()
	pid, veth := strconv.Itoa(pause.Process.Pid), fmt.Sprintf("p%d.%d", q.n, pause.Process.Pid%100000)
	script := fmt.Sprintf(`set -e
ip link add %[1]s type veth peer name eth0 netns %[2]s
ip link set %[1]s master %[5]s up
nsenter -t %[2]s -n sh -c 'ip link set lo up; ip link set eth0 address %[6]s; ip addr add %[3]s/16 dev eth0; ip link set eth0 up; ip route add default via %[4]s'`,
		veth, pid, q.ip, *addr, *bridge, hardwareAddr(q.ip))
	if out, err := exec.CommandContext(ctx, "sh", "-c", script).CombinedOutput(); err != nil {
		return fmt.Errorf("network of the pod: %v: %s", err, out)
	}
	ended := make(chan error, len(p.Spec.Containers))
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		bin := lookup(c.Image)
		if bin == "" {
			q.log(c.Name, "no program stands for image "+c.Image+"; the container idles")
			continue
		}
		base := filepath.Join(dir, c.Name)
		if err := k.rootfs(ctx, p, c, base, bin); err != nil {
			return err
		}
		chroot, _ := exec.LookPath("chroot")
		args := append([]string{"-t", pid, "-n", chroot, base, "/app"}, c.Args...)
		cmd := exec.CommandContext(ctx, "nsenter", args...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		cmd.Env = append(env(p, c, q), "PATH=/", "HOME=/")
		out, _ := cmd.StdoutPipe()
		cmd.Stderr = cmd.Stdout
		if err := cmd.Start(); err != nil {
			return err
		}
		go func() {
			for s := bufio.NewScanner(out); s.Scan(); {
				q.log(c.Name, s.Text())
			}
			ended <- fmt.Errorf("container %s ended: %v", c.Name, cmd.Wait())
		}()
	}
	for i := 0; i < 100 && !listening(pid); i++ {
		time.Sleep(20 * time.Millisecond)
	}
	k.status(ctx, p, q, restarts, true)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-ended:
		return err
	}
}

// rootfs lays out what the container sees: the program as /app, and its volumes.
func (k *kubelet) rootfs(ctx context.Context, p *v1.Pod, c *v1.Container, base, bin string) error {
	if err := os.MkdirAll(filepath.Join(base, "tmp"), 0o755); err != nil {
		return err
	}
	app := filepath.Join(base, "app")
	_ = os.Remove(app)
	if err := os.Link(bin, app); err != nil {
		return err
	}
	for _, m := range c.VolumeMounts {
		for _, v := range p.Spec.Volumes {
			if v.Name != m.Name {
				continue
			}
			files, items := map[string][]byte{}, []v1.KeyToPath(nil)
			switch {
			case v.Secret != nil:
				s, err := k.cs.CoreV1().Secrets(p.Namespace).Get(ctx, v.Secret.SecretName, metav1.GetOptions{})
				if err != nil {
					return err
				}
				files, items = s.Data, v.Secret.Items
			case v.ConfigMap != nil:
				s, err := k.cs.CoreV1().ConfigMaps(p.Namespace).Get(ctx, v.ConfigMap.Name, metav1.GetOptions{})
				if err != nil {
					return err
				}
				for key, val := range s.Data {
					files[key] = []byte(val)
				}
				items = v.ConfigMap.Items
			}
			if items == nil {
				for key := range files {
					items = append(items, v1.KeyToPath{Key: key, Path: key})
				}
			}
			dir := filepath.Join(base, m.MountPath)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			for _, it := range items {
				if err := os.WriteFile(filepath.Join(dir, it.Path), files[it.Key], 0o644); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func env(p *v1.Pod, c *v1.Container, q *pod) (out []string) {
	fields := map[string]string{"metadata.name": p.Name, "metadata.namespace": p.Namespace, "metadata.uid": string(p.UID),
		"status.podIP": q.ip.String(), "status.hostIP": *addr, "spec.nodeName": *node, "spec.serviceAccountName": p.Spec.ServiceAccountName}
	for _, e := range c.Env {
		v := e.Value
		if e.ValueFrom != nil && e.ValueFrom.FieldRef != nil {
			v = fields[e.ValueFrom.FieldRef.FieldPath]
		}
		out = append(out, e.Name+"="+v)
	}
	return out
}

func (k *kubelet) status(ctx context.Context, p *v1.Pod, q *pod, restarts int, ready bool) {
	now, cond := metav1.Now(), v1.ConditionFalse
	if ready {
		cond = v1.ConditionTrue
	}
	s := v1.PodStatus{Phase: v1.PodRunning, HostIP: *addr, PodIP: q.ip.String(), PodIPs: []v1.PodIP{{IP: q.ip.String()}}, StartTime: &now}
	for _, t := range []v1.PodConditionType{v1.PodScheduled, v1.PodInitialized, v1.ContainersReady, v1.PodReady} {
		st := cond
		if t == v1.PodScheduled || t == v1.PodInitialized {
			st = v1.ConditionTrue
		}
		s.Conditions = append(s.Conditions, v1.PodCondition{Type: t, Status: st, LastTransitionTime: now})
	}
	for _, c := range p.Spec.Containers {
		s.ContainerStatuses = append(s.ContainerStatuses, v1.ContainerStatus{Name: c.Name, Image: c.Image, Ready: ready, Started: &ready,
			RestartCount: int32(restarts), State: v1.ContainerState{Running: &v1.ContainerStateRunning{StartedAt: now}}})
	}
	body, _ := json.Marshal(map[string]any{"metadata": map[string]any{"uid": p.UID}, "status": s})
	_, err := k.cs.CoreV1().Pods(p.Namespace).Patch(ctx, p.Name, types.MergePatchType, body, metav1.PatchOptions{}, "status")
	if err != nil && ctx.Err() == nil && !apierrors.IsNotFound(err) {
		log.Printf("status %s/%s: %v", p.Namespace, p.Name, err)
	}
}

// serveLogs answers GET /containerLogs/NAMESPACE/POD/CONTAINER, which the API server proxies.
func (k *kubelet) serveLogs() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /containerLogs/{ns}/{pod}/{container}", func(w http.ResponseWriter, r *http.Request) {
		k.mu.Lock()
		q := k.logs[r.PathValue("ns")+"/"+r.PathValue("pod")]
		k.mu.Unlock()
		if q == nil {
			http.Error(w, "no such pod", http.StatusNotFound)
			return
		}
		since, _ := time.Parse(time.RFC3339, r.FormValue("sinceTime"))
		if s, err := strconv.Atoi(r.FormValue("sinceSeconds")); err == nil {
			since = time.Now().Add(-time.Duration(s) * time.Second)
		}
		q.mu.Lock()
		ls := q.lines[r.PathValue("container")]
		q.mu.Unlock()
		if n, err := strconv.Atoi(r.FormValue("tailLines")); err == nil && n < len(ls) {
			ls = ls[len(ls)-n:]
		}
		for _, l := range ls {
			if !l.at.Before(since) {
				fmt.Fprintln(w, l.text)
			}
		}
	})
	s := &http.Server{Addr: net.JoinHostPort(*addr, strconv.Itoa(*port)), Handler: mux, TLSConfig: &tls.Config{}, ReadHeaderTimeout: 10 * time.Second}
	check(s.ListenAndServeTLS(*certFile, *keyFile))
}

func (q *pod) log(container, text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	ls := append(q.lines[container], line{time.Now(), text})
	if len(ls) > 20000 {
		ls = append([]line(nil), ls[10000:]...)
	}
	q.lines[container] = ls
}

func lookup(image string) string {
	for _, kv := range strings.Split(*images, ",") {
		if prefix, bin, ok := strings.Cut(kv, "="); ok && strings.Contains(image, "/"+prefix+":") {
			return bin
		}
	}
	return ""
}

// listening reports whether the network namespace of a process has a listening TCP or a bound UDP socket.
func listening(pid string) bool {
	for _, f := range []string{"tcp", "tcp6", "udp", "udp6"} {
		b, _ := os.ReadFile("/proc/" + pid + "/net/" + f)
		for _, l := range strings.Split(string(b), "\n") {
			if w := strings.Fields(l); len(w) > 3 && (w[3] == "0A" || f[0] == 'u' && w[3] == "07") {
				return true
			}
		}
	}
	return false
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
