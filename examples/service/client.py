"""Ask the service for an arm, and tell it the reward: python3 client.py"""
import json
import urllib.request

SERVICE = "http://127.0.0.1:8080"


def post(path, ask):
    request = urllib.request.Request(SERVICE + path, json.dumps(ask).encode())
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


if __name__ == "__main__":
    choice = post("/choose", {"age": 41, "country": "us"})
    print("arm", choice["arm"], "with probability", choice.get("propensity"))
    post("/reward", {"id": choice["id"], "reward": 1})
