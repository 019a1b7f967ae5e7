//! Requests, streams and WebSockets by reqwest (hyper) and tungstenite until the stop file exists.
use futures_util::{SinkExt, StreamExt};
use std::sync::{Arc, Mutex};
use std::{env, fs, path::Path, time::Duration};
use tokio_tungstenite::tungstenite::{Error, Message};

#[derive(Default)]
struct Counts {
    requests: usize,
    streams: usize,
    websockets: usize,
    errors: Vec<String>,
}

type Shared = Arc<Mutex<Counts>>;

fn going() -> bool {
    !Path::new(&env::var("STOP").unwrap()).exists()
}

async fn fetch(client: &reqwest::Client, url: &str, body: Option<&str>, expected: &str) -> Result<(), String> {
    let request = match body {
        Some(text) => client.post(url).body(text.to_string()),
        None => client.get(url),
    };
    let response = request.send().await.map_err(|error| format!("{error:?}"))?;
    let status = response.status();
    let text = response.text().await.map_err(|error| format!("{error:?}"))?;
    if status == 200 && text == expected {
        Ok(())
    } else {
        Err(format!("status {status}, {} bytes", text.len()))
    }
}

struct Kind {
    path: &'static str,
    body: Option<String>,
    expected: String,
    is_stream: bool,
}

async fn requests(name: String, client: reqwest::Client, base: String, counts: Shared, kind: Kind) {
    while going() {
        let outcome = fetch(&client, &format!("{base}{}", kind.path), kind.body.as_deref(), &kind.expected).await;
        {
            let mut counts = counts.lock().unwrap();
            match outcome {
                Ok(()) if kind.is_stream => counts.streams += 1,
                Ok(()) => counts.requests += 1,
                Err(error) => counts.errors.push(format!("{name} {}: {error}", kind.path)),
            }
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn sockets(url: String, counts: Shared) {
    while going() {
        match tokio_tungstenite::connect_async(&url).await {
            Err(error) => counts.lock().unwrap().errors.push(format!("tungstenite: {error}")),
            Ok((mut socket, _)) => {
                while going() {
                    let sent = socket.send(Message::text("hello")).await;
                    match socket.next().await {
                        Some(Ok(Message::Text(_))) => tokio::time::sleep(Duration::from_millis(100)).await,
                        Some(Ok(Message::Close(_))) => break,
                        None | Some(Err(Error::ConnectionClosed)) => break,
                        other => {
                            let error = format!("tungstenite without a close frame: {sent:?} {other:?}");
                            counts.lock().unwrap().errors.push(error);
                            break;
                        }
                    }
                }
                counts.lock().unwrap().websockets += 1;
            }
        }
    }
}

#[tokio::main]
async fn main() {
    let (plain, secure) = (env::var("PLAIN").unwrap(), env::var("SECURE").unwrap());
    let lines: usize = env::var("LINES").unwrap().parse().unwrap();
    let stream: String = (0..lines).map(|i| format!("{i}\n")).collect();
    let root = reqwest::Certificate::from_pem(&fs::read(env::var("CA").unwrap()).unwrap()).unwrap();
    let counts: Shared = Shared::default();
    let builder = || reqwest::Client::builder().add_root_certificate(root.clone());
    let clients = [
        ("reqwest HTTP/1.1", builder().http1_only().build().unwrap(), &plain),
        ("reqwest HTTPS/1.1", builder().http1_only().build().unwrap(), &secure),
        ("reqwest HTTP/2", builder().build().unwrap(), &secure),
        ("reqwest h2c", builder().http2_prior_knowledge().build().unwrap(), &plain),
    ];
    let long = "x".repeat(5000);
    let mut tasks = Vec::new();
    for (name, client, base) in clients {
        let kinds = [
            Kind { path: "/", body: None, expected: "ok".into(), is_stream: false },
            Kind { path: "/proxied", body: None, expected: "ok".into(), is_stream: false },
            Kind { path: "/echo", body: Some(long.clone()), expected: long.clone(), is_stream: false },
            Kind { path: "/drip", body: None, expected: stream.clone(), is_stream: true },
        ];
        for kind in kinds {
            tasks.push(tokio::spawn(requests(name.into(), client.clone(), base.clone(), counts.clone(), kind)));
        }
    }
    tasks.push(tokio::spawn(sockets(format!("{}/ws", plain.replacen("http", "ws", 1)), counts.clone())));
    for task in tasks {
        task.await.unwrap();
    }
    let counts = counts.lock().unwrap();
    println!(
        "{}",
        serde_json::json!({
            "requests": counts.requests,
            "streams": counts.streams,
            "websockets": counts.websockets,
            "errors": counts.errors,
        })
    );
}
